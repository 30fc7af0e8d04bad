# Reads lists that come in pages as data frames.

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
      # The fields x and y of a pair become the columns x.id, x.name and so on.
      pages[[length(pages) + 1]] <- jsonlite::flatten(page$items)
      rows <- rows + nrow(page$items)
    }
    params <- following(response)
  }
  table <- if (length(pages)) do.call(rbind, pages) else without_rows(bencao, path)
  table <- table[seq_len(min(nrow(table), max)), , drop = FALSE]
  structure(table, found = found, version = version)
}

# without_rows returns a table without rows. Its columns come from the server's description.
without_rows <- function(bencao, path) {
  description <- bencao$kept[["description"]]
  if (is.null(description)) {
    request <- bencao$request
    request$url <- sub("/api/v1/$", "/openapi/v1.json?numbers=plain", request$url)
    description <- httr2::resp_body_json(httr2::req_perform(request))
    assign("description", description, envir = bencao$kept)
  }
  columns <- lapply(columns_of(description, path), function(type) if (type == "list") I(list()) else vector(type, 0))
  as.data.frame(columns, stringsAsFactors = FALSE, optional = TRUE)
}

# columns_of returns the fields of the rows of a list, each as an empty vector of its type. It
# returns none if the path is not a list.
columns_of <- function(description, path) {
  path <- paste0("/api/v1/", sub("^/", "", path))
  schemas <- description$components$schemas
  named <- function(schema) if (is.null(schema[["$ref"]])) schema else schemas[[basename(schema[["$ref"]])]]
  for (template in names(description$paths)) {
    if (!grepl(paste0("^", gsub("\\{[^}]*\\}", "[^/]+", template), "$"), path)) next
    answered <- named(description$paths[[template]]$get$responses[["200"]]$content[["application/json"]]$schema)
    row <- if (is.null(answered$items)) answered$properties$items$items else answered$items
    if (is.null(row)) next
    row <- named(row)
    fields <- lapply(row$properties[unlist(row$required)], named)
    nested <- vapply(fields, function(field) identical(field$type, "object"), logical(1))
    parts <- lapply(fields[nested], function(field) lapply(field$properties[unlist(field$required)], type_of))
    return(c(lapply(fields[!nested], type_of), unlist(parts, recursive = FALSE)))
  }
  list()
}

type_of <- function(schema) {
  type <- setdiff(unlist(schema$type), "null")
  known <- c(integer = "integer", number = "numeric", boolean = "logical", string = "character")
  if (length(type) == 1 && type %in% names(known)) known[[type]] else "list"
}

bencao_species <- function(bencao, q = NULL, ..., max = Inf) bencao_list(bencao, "species", q = q, ..., max = max)

bencao_formulas <- function(bencao, q = NULL, ..., max = Inf) bencao_list(bencao, "formulas", q = q, ..., max = max)

bencao_ingredients <- function(bencao, q = NULL, ..., max = Inf) long_list(bencao, "formulas/ingredients", q, ..., max = max)

bencao_herbs <- function(bencao, q = NULL, ..., max = Inf) bencao_list(bencao, "herbs", q = q, ..., max = max)

bencao_papers <- function(bencao, q = NULL, ..., max = Inf) bencao_list(bencao, "papers", q = q, ..., max = max)

bencao_patterns <- function(bencao, of = c("herbs", "pairs", "sets", "formulas"), q = NULL, ..., max = Inf) {
  of <- match.arg(of)
  long_list(bencao, paste0("patterns/", of), q, ..., max = max)
}

# long_list reads a list whose pages may have 1,000 items.
long_list <- function(bencao, path, q, ..., max) {
  params <- list(...)
  if (is.null(params$pageSize)) params$pageSize <- min(1000, max)
  do.call(bencao_list, c(list(bencao, path, q = q, max = max), params))
}

bencao_transactions <- function(bencao, q = NULL, ...) {
  formulas <- bencao_patterns(bencao, "formulas", q, ...)
  drugs <- labels_of(formulas$drugs)
  names(drugs) <- formulas$guid
  drugs
}

# labels_of returns the names of drugs. If several drugs have the same name, it adds their ids.
labels_of <- function(drugs) {
  text <- function(field) as.character(unlist(lapply(drugs, `[[`, field)))
  known <- unique(data.frame(id = text("id"), name = text("name")))
  shared <- known$name[duplicated(known$name)]
  lapply(drugs, function(one) {
    name <- as.character(one$name)
    several <- name %in% shared
    name[several] <- paste0(name[several], " [", one$id[several], "]")
    name
  })
}

bencao_changes <- function(bencao, since, max = Inf) bencao_list(bencao, "changes", since = since, max = max)

bencao_facets <- function(bencao, of = c("species", "formulas", "herbs", "papers"), by, ...) {
  of <- match.arg(of)
  counts <- bencao_get(bencao, paste0(of, "/facets"), by = by, ...)$facets$counts[[1]]
  if (is.data.frame(counts)) counts else data.frame(value = character(), count = integer(), stringsAsFactors = FALSE)
}

bencao_suggest <- function(bencao, q) {
  items <- bencao_get(bencao, "suggest", q = q)$items
  if (length(items)) items else without_rows(bencao, "suggest")
}

bencao_stats <- function(bencao) bencao_get(bencao, "stats")

bencao_version <- function(bencao) bencao_get(bencao, "version")

bencao_key <- function(bencao) bencao_get(bencao, "key")

# following returns the parameters of the next page, or NULL after the last page. The
# path of the link is not used, because a proxy may serve the API under another path.
following <- function(response) {
  link <- httr2::resp_link_url(response, "next")
  if (is.null(link)) return(NULL)
  httr2::url_parse(link)$query
}
