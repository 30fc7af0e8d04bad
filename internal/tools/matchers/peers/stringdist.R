#!/usr/bin/env Rscript
# The method of many R scripts: among the names with the same initial, the nearest one by optimal
# string alignment (package stringdist), at most two edits away. An answer with at most one edit is safe.
suppressMessages(library(stringdist))
known <- readLines(commandArgs(TRUE)[1], encoding = "UTF-8")
known <- split(known, substr(known, 1, 1))
for (name in readLines(file("stdin"), encoding = "UTF-8")) {
  names <- known[[substr(name, 1, 1)]]
  at <- if (length(names)) amatch(name, names, method = "osa", maxDist = 2, nthread = 1) else NA
  if (is.na(at)) cat("\n")
  else cat(names[at], "\t", as.integer(stringdist(name, names[at], method = "osa") < 2), "\n", sep = "")
}
