#!/usr/bin/env Rscript
# The recipe of many R scripts: the nearest name by optimal string alignment (package stringdist),
# at most two edits away, among the names of the same initial. One edit or none is called safe.
suppressMessages(library(stringdist))
known <- readLines(commandArgs(TRUE)[1], encoding = "UTF-8")
known <- split(known, substr(known, 1, 1))
for (name in readLines(file("stdin"), encoding = "UTF-8")) {
  names <- known[[substr(name, 1, 1)]]
  at <- if (length(names)) amatch(name, names, method = "osa", maxDist = 2, nthread = 1) else NA
  if (is.na(at)) cat("\n")
  else cat(names[at], "\t", as.integer(stringdist(name, names[at], method = "osa") < 2), "\n", sep = "")
}
