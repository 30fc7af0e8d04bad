# Matches many names.

# The largest number of names in a request, and of bytes in all its texts.
most_names <- 100
most_bytes <- 3000

# The parameters that a name may have beside it.
hint_columns <- c("author", "family", "chineseName", "kingdom")

# The columns of the best candidate.
candidate <- c(
  "matchType", "score", "flags", "guid", "chineseName", "matchedName", "matchedAuthor", "rank", "taxonStatus",
  "acceptedName", "acceptedAuthor", "acceptedFamily", "wcvpId", "ipniId", "wfoId", "matchSource", "url"
)

# The further columns with distribution = TRUE. Codes of areas are joined by "; ".
distribution_columns <- c(
  "native", "introduced", "extinct", "doubtful", "area", "lifeForm", "publication", "published", "release"
)

bencao_match <- function(bencao, names, name = "name", author = NULL, family = NULL, chinese_name = NULL, kingdom = NULL, ...) {
  if (!is.data.frame(names)) {
    names <- stats::setNames(data.frame(as.character(names), stringsAsFactors = FALSE), name)
  }
  for (column in c(name, author, family, chinese_name, kingdom)) {
    if (!column %in% colnames(names)) {
      stop("there is no column ", column, "; there are ", paste(colnames(names), collapse = ", "), call. = FALSE)
    }
  }
  column <- function(header) if (!is.null(header)) names[[header]]
  responses <- bencao_match_names(
    bencao, names[[name]], column(author), column(family), column(chinese_name), column(kingdom), ...
  )
  further <- if (isTRUE(list(...)$distribution)) distribution_columns else character()
  rows <- lapply(responses, best, further)
  matched <- if (length(rows)) do.call(rbind, rows) else best(NULL, further)[0, ]
  clash <- colnames(matched) %in% colnames(names)
  colnames(matched)[clash] <- paste0(colnames(matched)[clash], "_match")
  rownames(matched) <- NULL
  cbind(names, matched)
}

bencao_match_names <- function(bencao, names, authors = NULL, families = NULL, chinese_names = NULL,
                               kingdoms = NULL, ...) {
  rows <- data.frame(name = text(names), stringsAsFactors = FALSE)
  given <- list(author = authors, family = families, chineseName = chinese_names, kingdom = kingdoms)
  for (hint in hint_columns) {
    if (!is.null(given[[hint]]) && length(given[[hint]]) != nrow(rows)) {
      stop(nrow(rows), " names have ", length(given[[hint]]), " authors, families, Chinese names or kingdoms; give one for each", call. = FALSE)
    }
    rows[[hint]] <- if (is.null(given[[hint]])) rep("", nrow(rows)) else text(given[[hint]])
  }
  id <- do.call(paste, c(rows, sep = "\r"))
  asked <- rows[!duplicated(id) & nzchar(rows$name), ]
  bytes <- Reduce(`+`, lapply(asked, nchar, "bytes"))
  answers <- list()
  for (batch in batches(bytes)) {
    answers <- c(answers, ask_names(bencao, asked[batch, ], list(...)))
  }
  at <- match(id, do.call(paste, c(asked, sep = "\r")))
  lapply(at, function(i) if (!is.na(i)) answers[[i]])
}

# batches splits a list into parts that fit into an address.
batches <- function(bytes) {
  parts <- list()
  part <- integer()
  size <- 0
  for (i in seq_along(bytes)) {
    if (length(part) && (length(part) == most_names || size + bytes[i] > most_bytes)) {
      parts[[length(parts) + 1]] <- part
      part <- integer()
      size <- 0
    }
    part <- c(part, i)
    size <- size + bytes[i]
  }
  if (length(part)) parts[[length(parts) + 1]] <- part
  parts
}

# ask_names returns the answers for a batch. If the server refuses one of several
# names, or so many at once, ask_names requests each half separately.
ask_names <- function(bencao, rows, hints) {
  params <- c(list(name = rows$name), hints)
  for (hint in hint_columns) {
    if (any(nzchar(rows[[hint]]))) params[[hint]] <- rows[[hint]]
  }
  several <- nrow(rows) > 1
  halves <- function(refused) {
    half <- seq_len(nrow(rows) %/% 2)
    c(ask_names(bencao, rows[half, ], hints), ask_names(bencao, rows[-half, ], hints))
  }
  tryCatch(
    {
      response <- answer(bencao, "names/matches", params, tries = if (several && bencao$tries > 1) 2)
      httr2::resp_body_json(response, simplifyVector = TRUE, simplifyDataFrame = FALSE)
    },
    httr2_http_400 = function(refused) {
      if (several) return(halves(refused))
      answer(bencao, "names/matches", c(list(name = "Poa"), hints)) # an error if the hints are invalid, not the name
      list(NULL)
    },
    httr2_http_429 = function(refused) if (several) halves(refused) else stop(refused)
  )
}

# best returns a row of the table: the best candidate of a name.
# further are columns of its distribution.
best <- function(response, further = character()) {
  results <- response$results
  first <- if (length(results)) results[[1]] else list()
  columns <- c(candidate, further)
  row <- lapply(stats::setNames(columns, columns), function(column) {
    value <- if (column %in% further) first$distribution[[column]] else first[[column]]
    if (column == "score") {
      if (is.null(value)) NA_real_ else as.numeric(value)
    } else if (is.null(value)) {
      NA_character_
    } else {
      paste(value, collapse = "; ")
    }
  })
  data.frame(
    canonicalName = if (is.null(response$canonicalName)) NA_character_ else response$canonicalName,
    matchedVia = if (is.null(response$matchedVia)) "none" else response$matchedVia,
    candidates = length(results), row, stringsAsFactors = FALSE
  )
}

# text returns a column as text. A missing value is empty.
text <- function(column) {
  column <- trimws(as.character(column))
  ifelse(is.na(column), "", column)
}
