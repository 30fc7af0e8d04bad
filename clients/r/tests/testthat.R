library(testthat)
library(bencao)

test_check("bencao")
