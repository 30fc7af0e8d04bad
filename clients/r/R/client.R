# A server, the key for it, and requests.

bencao <- function(server = Sys.getenv("BENCAO_SERVER"), key = Sys.getenv("BENCAO_API_KEY"),
                   key_file = NULL, tries = 6, timeout = 30) {
  if (!nzchar(server)) stop("no server; give its address, or set BENCAO_SERVER", call. = FALSE)
  if (!is.null(key_file)) key <- readLines(key_file, n = 1, warn = FALSE)
  key <- trimws(key)
  if (!length(key) || !nzchar(key)) {
    stop("no key; give key or key_file, or set BENCAO_API_KEY", call. = FALSE)
  }
  request <- httr2::request(paste0(sub("/+$", "", server), "/api/v1/"))
  request <- httr2::req_headers(request, "X-Api-Key" = key, Accept = "application/json")
  request <- httr2::req_user_agent(request, "bencao for R")
  request <- httr2::req_options(request, followlocation = FALSE) # the key stays with its server
  request <- httr2::req_timeout(request, timeout)
  request <- patient(request, tries)
  request <- httr2::req_error(request, is_error = is_refused, body = said)
  structure(list(server = server, tries = tries, request = request, kept = new.env(parent = emptyenv())), class = "bencao")
}

print.bencao <- function(x, ...) {
  cat("<bencao>", x$server, "\n")
  invisible(x)
}

bencao_get <- function(bencao, path, ...) {
  answered <- httr2::resp_body_json(answer(bencao, path, list(...)), simplifyVector = TRUE)
  if (is.list(answered) && !length(answered)) without_rows(bencao, path) else answered
}

# answer performs a request. What is no answer is an error.
answer <- function(bencao, path, params, tries = NULL, version = NULL) {
  request <- bencao$request
  query <- as_query(params)
  request$url <- paste0(request$url, path, if (nzchar(query)) "?", query)
  if (!is.null(tries)) request <- patient(request, tries)
  # The answers of this session are kept, and the server is asked whether they
  # hold. httr2's own cache gives the headers of the 304, which lack the pages.
  kept <- bencao$kept[[request$url]]
  if (!is.null(kept)) request <- httr2::req_headers(request, "If-None-Match" = httr2::resp_header(kept, "ETag"))
  if (!is.null(version)) request <- httr2::req_headers(request, "X-Data-Version" = version)
  response <- httr2::req_perform(request)
  if (httr2::resp_status(response) == 304) return(kept)
  if (length(ls(bencao$kept)) >= most_kept) rm(list = ls(bencao$kept), envir = bencao$kept)
  if (!is.null(httr2::resp_header(response, "ETag"))) bencao$kept[[request$url]] <- response
  response
}

# most_kept is how many answers are kept; then all of them go.
most_kept <- 100

# patient lets a request be sent several times. httr2 would wait after the last
# one as well, so nothing passes for one that is sent once.
patient <- function(request, tries) {
  passes <- if (tries > 1) is_transient else function(response) FALSE
  httr2::req_retry(request, max_tries = max(tries, 1), is_transient = passes)
}

# as_query writes parameters as the API reads them; NULL leaves one out, a
# vector gives one several times.
as_query <- function(params) {
  pairs <- unlist(lapply(names(params), function(name) {
    value <- params[[name]]
    if (is.logical(value)) value <- ifelse(value, "true", "false")
    if (is.numeric(value)) value <- format(value, scientific = FALSE, trim = TRUE)
    if (length(value)) paste0(name, "=", escaped(value))
  }))
  paste(pairs, collapse = "&")
}

# escaped percent-encodes texts, whatever the locale.
escaped <- function(text) vapply(enc2utf8(as.character(text)), URLencode, "", reserved = TRUE, USE.NAMES = FALSE)

is_transient <- function(response) httr2::resp_status(response) %in% c(429, 502, 503, 504)

# is_refused tells errors, and redirections, from answers and from copies that still hold.
is_refused <- function(response) httr2::resp_status(response) >= 300 && httr2::resp_status(response) != 304

# said is what a server says of a request that it refuses.
said <- function(response) {
  problem <- tryCatch(jsonlite::fromJSON(httr2::resp_body_string(response)), error = function(e) NULL)
  if (!is.list(problem)) return(NULL) # a page of a proxy
  c(problem$detail, if (!is.null(problem$instance)) paste("request", problem$instance))
}
