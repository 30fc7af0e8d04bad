# Connects to a server and sends requests.

bencao <- function(server = Sys.getenv("BENCAO_SERVER"), key = Sys.getenv("BENCAO_API_KEY"),
                   key_file = NULL, tries = 6, timeout = 30, version = NULL) {
  if (!nzchar(server)) stop("no server; give its address, or set BENCAO_SERVER", call. = FALSE)
  if (!is.null(key_file)) key <- readLines(key_file, n = 1, warn = FALSE)
  key <- trimws(key)
  if (!length(key) || !nzchar(key)) {
    stop("no key; give key or key_file, or set BENCAO_API_KEY", call. = FALSE)
  }
  request <- httr2::request(paste0(sub("/+$", "", server), "/api/v1/"))
  request <- httr2::req_headers(request, "X-Api-Key" = key, Accept = "application/json")
  request <- httr2::req_user_agent(request, "bencao for R")
  request <- httr2::req_options(request, followlocation = FALSE) # a redirect would send the key to another server
  request <- httr2::req_timeout(request, timeout)
  request <- patient(request, tries)
  request <- httr2::req_error(request, is_error = is_refused, body = said)
  structure(list(server = server, tries = tries, version = version, request = request, kept = new.env(parent = emptyenv())), class = "bencao")
}

print.bencao <- function(x, ...) {
  cat("<bencao>", x$server, "\n")
  invisible(x)
}

bencao_get <- function(bencao, path, ...) {
  answered <- httr2::resp_body_json(answer(bencao, path, list(...)), simplifyVector = TRUE)
  if (is.list(answered) && !length(answered)) without_rows(bencao, path) else answered
}

# answer sends a request and returns the answer. Any status other than 200 is an error.
answer <- function(bencao, path, params, tries = NULL, version = NULL) {
  request <- bencao$request
  query <- as_query(params)
  request$url <- paste0(request$url, path, if (nzchar(query)) "?", query)
  if (!is.null(tries)) request <- patient(request, tries)
  # Answers are cached for this session. The server is asked whether they are still
  # valid. The cache of httr2 returns the headers of the 304, which lack those of pages.
  kept <- bencao$kept[[request$url]]
  if (!is.null(kept)) request <- httr2::req_headers(request, "If-None-Match" = httr2::resp_header(kept, "ETag"))
  if (is.null(version)) version <- bencao$version
  if (!is.null(version)) request <- httr2::req_headers(request, "X-Data-Version" = version)
  response <- httr2::req_perform(request)
  if (httr2::resp_status(response) == 304) return(kept)
  if (length(ls(bencao$kept)) >= most_kept) rm(list = ls(bencao$kept), envir = bencao$kept)
  if (!is.null(httr2::resp_header(response, "ETag"))) bencao$kept[[request$url]] <- response
  response
}

# most_kept is the largest number of cached answers. When it is reached, the cache is emptied.
most_kept <- 100

# patient lets httr2 repeat a request. httr2 would also wait after the last try, so
# with tries = 1 no answer counts as transient.
patient <- function(request, tries) {
  passes <- if (tries > 1) is_transient else function(response) FALSE
  httr2::req_retry(request, max_tries = max(tries, 1), is_transient = passes)
}

# as_query returns parameters in the form that the API reads. A NULL leaves a
# parameter out; a vector repeats it.
as_query <- function(params) {
  pairs <- unlist(lapply(names(params), function(name) {
    value <- params[[name]]
    if (is.logical(value)) value <- ifelse(value, "true", "false")
    if (is.numeric(value)) value <- format(value, scientific = FALSE, trim = TRUE)
    if (length(value)) paste0(name, "=", escaped(value))
  }))
  paste(pairs, collapse = "&")
}

# escaped percent-encodes texts in UTF-8, whatever the locale.
escaped <- function(text) vapply(enc2utf8(as.character(text)), URLencode, "", reserved = TRUE, USE.NAMES = FALSE)

is_transient <- function(response) httr2::resp_status(response) %in% c(429, 502, 503, 504)

# is_refused reports whether an answer is an error or a redirect. A 304 is neither.
is_refused <- function(response) httr2::resp_status(response) >= 300 && httr2::resp_status(response) != 304

# said returns the reason that a server gives for refusing a request.
said <- function(response) {
  problem <- tryCatch(jsonlite::fromJSON(httr2::resp_body_string(response)), error = function(e) NULL)
  if (!is.list(problem)) return(NULL) # an error page of a proxy
  c(problem$detail, if (!is.null(problem$instance)) paste("request", problem$instance))
}
