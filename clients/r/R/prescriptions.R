# Reads the results of "bencao prescriptions".

bencao_prescriptions <- function(folder) {
  # Ids such as 001 and names stay texts.
  text <- c("prescription", "written", "dose", "note", "id", "guid")
  read <- function(table) {
    file <- file.path(folder, paste0(table, ".csv"))
    columns <- names(utils::read.csv(file, fileEncoding = "UTF-8-BOM", check.names = FALSE, nrows = 1))
    kept <- intersect(columns, text)
    utils::read.csv(file, fileEncoding = "UTF-8-BOM", check.names = FALSE, stringsAsFactors = FALSE,
      na.strings = "", colClasses = stats::setNames(rep("character", length(kept)), kept))
  }
  tables <- c("drugs", "names", "transactions", "matrix", "herbs", "pairs", "sets", "nearest")
  result <- stats::setNames(lapply(tables, read), tables)
  drugs <- result$transactions
  result$transactions <- split(drugs$drug, factor(drugs$prescription, unique(drugs$prescription)))
  result$methods <- readLines(file.path(folder, "methods.txt"), encoding = "UTF-8")
  result
}
