# Lists that come in pages, as data frames.

bencao_list <- function(bencao, path, ..., max = Inf) {
  params <- list(...)
  if (is.null(params$pageSize)) params$pageSize <- min(100, max)
  pages <- list()
  rows <- 0
  version <- found <- NULL
  while (!is.null(params) && rows < max) {
    response <- answer(bencao, path, params, version = version)
    now <- httr2::resp_header(response, "X-Data-Version")
    if (is.null(version)) {
      version <- now
      found <- httr2::resp_header(response, "X-Search")
    } else if (!identical(version, now)) {
      stop("the data changed from ", version, " to ", now, " between two pages; read the list anew", call. = FALSE)
    }
    page <- httr2::resp_body_json(response, simplifyVector = TRUE)
    if (length(page$items)) {
      pages[[length(pages) + 1]] <- page$items
      rows <- rows + nrow(page$items)
    }
    params <- following(response)
  }
  table <- if (length(pages)) do.call(rbind, pages) else data.frame()
  table <- table[seq_len(min(nrow(table), max)), , drop = FALSE]
  structure(table, found = found, version = version)
}

bencao_species <- function(bencao, q = NULL, ..., max = Inf) bencao_list(bencao, "species", q = q, ..., max = max)

bencao_formulas <- function(bencao, q = NULL, ..., max = Inf) bencao_list(bencao, "formulas", q = q, ..., max = max)

bencao_herbs <- function(bencao, q = NULL, ..., max = Inf) bencao_list(bencao, "herbs", q = q, ..., max = max)

bencao_papers <- function(bencao, q = NULL, ..., max = Inf) bencao_list(bencao, "papers", q = q, ..., max = max)

bencao_changes <- function(bencao, since, max = Inf) bencao_list(bencao, "changes", since = since, max = max)

bencao_facets <- function(bencao, of = c("species", "formulas", "papers"), by, ...) {
  of <- match.arg(of)
  answered <- bencao_get(bencao, paste0(of, "/facets"), by = by, ...)
  answered$facets$counts[[1]]
}

# following are the parameters of the next page, NULL after the last. The path
# is ours: the server may stand behind one that it does not know.
following <- function(response) {
  link <- httr2::resp_link_url(response, "next")
  if (is.null(link)) return(NULL)
  httr2::url_parse(link)$query
}
