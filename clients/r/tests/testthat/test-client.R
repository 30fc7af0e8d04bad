# Tests the client with a real server, which ../with-server starts.

if (Sys.getenv("BENCAO_SERVER") == "") stop("no server; run the tests by clients/with-server")

ginseng <- "af3292fc-12d3-59b2-83b2-9deda4bc842a"
con <- bencao()

test_that("a search goes through all pages", {
  species <- bencao_species(con, pageSize = 50)
  expect_equal(nrow(species), bencao_get(con, "stats")$plantTaxa)
  expect_equal(anyDuplicated(species$guid), 0)
  expect_equal(nrow(bencao_species(con, max = 7)), 7)
  expect_equal(nrow(bencao_species(con, "no such plant at all")), 0)
})

test_that("a list without rows has its columns", {
  some <- bencao_species(con, max = 3)
  none <- bencao_species(con, "no such plant at all")
  expect_equal(colnames(none), colnames(some))
  expect_equal(vapply(none, class, ""), vapply(some, class, ""))
  expect_equal(nrow(rbind(none, some)), 3)
  expect_equal(nrow(none[none$family == "Araliaceae", ]), 0)
  for (list in c(bencao_formulas, bencao_herbs, bencao_papers)) {
    expect_equal(colnames(list(con, "no such thing at all")), colnames(list(con, max = 1)))
  }
  pairs <- bencao_patterns(con, "pairs", minFormulas = 5)
  none <- bencao_patterns(con, "pairs", dynasty = "\u5357\u5317\u671d")
  expect_equal(nrow(none), 0)
  expect_true("x.name" %in% colnames(pairs))
  expect_equal(colnames(none), colnames(pairs))
  expect_equal(colnames(bencao_changes(con, since = attr(some, "version")))[1:3], c("kind", "guid", "change"))
  expect_equal(colnames(bencao_facets(con, "species", by = "family", q = "no such plant at all")), c("value", "count"))
  expect_equal(colnames(bencao_suggest(con, "zzzzzz")), colnames(bencao_suggest(con, "rensh")))
  without <- bencao_species(con)$guid
  flora <- lapply(without, function(guid) bencao_get(con, paste0("species/", guid, "/uses")))
  expect_equal(length(unique(lapply(flora, colnames))), 1)
})

test_that("stats, version, suggestions and the key have functions", {
  expect_equal(bencao_stats(con)$plantTaxa, nrow(bencao_species(con)))
  expect_match(bencao_version(con)$dataVersion, "^[0-9]{8}T")
  expect_true("\u4eba\u53c2" %in% bencao_suggest(con, "rensh")$text)
  expect_true("prescriptions" %in% bencao_key(con)$scopes)
})

test_that("filters are those of the API, and what was forgiven is told", {
  expect_equal(attr(bencao_species(con, "\u4ec1\u53c2"), "found"), "forgiven; how=sameSound")
  expect_equal(unique(bencao_species(con, family = "\u4e94\u52a0\u79d1", hasFormulas = TRUE)$family), "Araliaceae")
  expect_equal(bencao_formulas(con, "guizhitang", max = 1)$name, "\u6842\u679d\u6c64")
  expect_true("\u7518\u8349" %in% bencao_herbs(con, "gancao")$name)
  expect_gt(nrow(bencao_papers(con, "ginseng")), 0)
  expect_equal(bencao_facets(con, "species", by = "family", limit = 3)$value[1], "Fabaceae")
  expect_equal(bencao_facets(con, "herbs", by = "kind", limit = 1)$value, "plant")
})

test_that("what changed is asked since a version", {
  read <- bencao_species(con, max = 1)
  expect_equal(bencao_get(con, "version")$dataVersion, attr(read, "version"))
  expect_equal(nrow(bencao_changes(con, since = attr(read, "version"))), 0)
  expect_error(bencao_changes(con, since = "20000101T000000Z-000000"), class = "httr2_http_404")
})

test_that("a key is told of itself", {
  expect_true("prescriptions" %in% bencao_get(con, "key")$scopes)
  expect_lt(bencao_get(con, "key")$remaining, bencao_get(con, "key")$limit)
})

test_that("records are lists", {
  species <- bencao_get(con, paste0("species/", ginseng))
  expect_equal(species$scientificName, "Panax ginseng")
  formulas <- bencao_list(con, paste0("species/", ginseng, "/formulas"))
  expect_equal(nrow(formulas), species$formulas)
})

test_that("many names keep their order", {
  names <- bencao_species(con)$scientificName
  asked <- c(rev(names), "", NA, "Panax ginsen", "Nullius nusquam", "\u4eba\u53c2", strrep("x", 300))
  answers <- bencao_match_names(con, asked)
  expect_length(answers, length(asked))
  last <- answers[length(names) + 1:6]
  expect_null(last[[1]])
  expect_null(last[[2]])
  expect_equal(last[[3]]$results[[1]]$acceptedName, "Panax ginseng")
  expect_length(last[[4]]$results, 0)
  expect_equal(last[[5]]$results[[1]]$acceptedName, "Panax ginseng")
  expect_null(last[[6]])
  expect_true(all(lengths(lapply(answers[seq_along(names)], `[[`, "results")) > 0))
})

test_that("a data frame comes back with the best candidates", {
  herbarium <- data.frame(
    taxon = c("Panax ginsen", NA, "Salvia miltiorhiza"), by = c("C.A.Mey.", NA, "Bge."), score = 1:3
  )
  hinted <- data.frame(
    taxon = c("Panax ginseng", "Xyzia nihil", "Mentha arvensis"), family = c("\u4e94\u52a0\u79d1", "-", ""),
    zh = c("\u4eba\u53c2", "\u4e39\u53c2", NA), kingdom = c("Plantae", NA, "Animalia")
  )
  matched <- bencao_match(con, hinted, name = "taxon", family = "family", chinese_name = "zh", kingdom = "kingdom")
  expect_equal(matched$acceptedName, c("Panax ginseng", "Salvia miltiorrhiza", NA))
  expect_length(bencao_match_names(con, "Panax ginseng", kingdoms = "Animalia")[[1]]$results, 0)

  matched <- bencao_match(con, herbarium, name = "taxon", author = "by")
  expect_equal(matched$score, 1:3)
  expect_equal(matched$chineseName, c("\u4eba\u53c2", NA, "\u4e39\u53c2"))
  expect_equal(matched$score_match[3], 0.97)
  expect_equal(matched$flags[3], "orthography")
  expect_equal(bencao_match(con, "\u7518\u8349")$acceptedName, "Glycyrrhiza uralensis")
  expect_equal(nrow(bencao_match(con, character())), 0)
})

test_that("wrong calls say what is wrong", {
  expect_error(bencao_match(con, data.frame(taxon = "Poa")), "no column name; there are taxon")
  expect_error(bencao_match_names(con, c("Poa annua", "Poa"), authors = "L."), "give one for each")
  expect_error(bencao_match_names(con, c("Poa annua", "Poa"), limit = 99), "limit")
  expect_error(bencao_species(con, pageSize = 101), "pageSize is \"101\"", class = "httr2_http_400")
  expect_error(bencao_get(con, "species/nobody"), class = "httr2_http_404")
  expect_error(bencao_formulas(bencao(key = Sys.getenv("OPEN_KEY"))), "prescriptions", class = "httr2_http_403")
  expect_error(bencao_get(bencao(key = "wrong"), "stats"), class = "httr2_http_401")
  expect_error(bencao(server = ""), "no server")
  expect_error(bencao(key = ""), "no key")
})

test_that("patterns are tables, and transactions are lists of drugs", {
  pairs <- bencao_patterns(con, "pairs", minFormulas = 2)
  one <- bencao_patterns(con, "pairs", herb = pairs$x.name[1], with = pairs$y.name[1], minFormulas = 2)
  expect_equal(one$lift, pairs$lift[1])
  expect_equal(one$confidenceXY, one$formulas / one$formulasX)
  drugs <- bencao_transactions(con)
  x <- vapply(drugs, function(d) one$x.name %in% d, NA)
  y <- vapply(drugs, function(d) one$y.name %in% d, NA)
  expect_equal(c(sum(x), sum(y), sum(x & y)), c(one$formulasX, one$formulasY, one$formulas))
})

test_that("ingredients are those of the formulas' details", {
  formula <- bencao_formulas(con, "\u6842\u679d\u6c64", max = 1)
  detail <- bencao_get(con, paste0("formulas/", formula$guid))$ingredients
  rows <- bencao_ingredients(con, "\u6842\u679d\u6c64", max = nrow(detail))
  expect_equal(rows$herb, detail$herb)
  expect_equal(rows$grams, detail$grams)
  expect_equal(unique(rows$formula.guid), formula$guid)
})

test_that("drugs of the same name have different labels", {
  drugs <- list(data.frame(id = c("a", "b"), name = c("peach", "plum")), list(), data.frame(id = "c", name = "peach"))
  expect_equal(labels_of(drugs), list(c("peach [a]", "plum"), character(), "peach [c]"))
  written <- list(data.frame(id = NA, name = c("peach", "plum")), data.frame(id = NA, name = "peach"))
  expect_equal(labels_of(written), list(c("peach", "plum"), "peach"))
})

test_that("arules finds the same drugs, pairs and sets in the transactions", {
  skip_if_not_installed("arules")
  least <- 3
  silent <- list(verbose = FALSE)
  for (names in c("standard", "written", "source")) {
    drugs <- bencao_transactions(con, names = names)
    transactions <- as(drugs, "transactions")
    expect_equal(arules::transactionInfo(transactions)$transactionID, names(drugs))

    herbs <- bencao_patterns(con, "herbs", names = names)
    frequency <- arules::itemFrequency(transactions, type = "absolute")
    expect_equal(sort(names(frequency)), sort(herbs$name))
    expect_equal(unname(frequency[herbs$name]), herbs$formulas)

    # A rule has one drug on each side; each pair is a rule in both directions. arules does not
    # list pairs that never occur together.
    rules <- arules::apriori(transactions, list(support = 1 / length(drugs), confidence = 0, minlen = 2, maxlen = 2),
      control = silent)
    left <- unlist(arules::LIST(arules::lhs(rules)))
    right <- unlist(arules::LIST(arules::rhs(rules)))
    pairs <- bencao_patterns(con, "pairs", names = names, minFormulas = least)
    pairs <- pairs[pairs$formulas > 0, ]
    expect_equal(2 * nrow(pairs), sum(frequency[left] >= least & frequency[right] >= least))
    rule <- function(from, to) arules::quality(rules)[match(paste(from, to), paste(left, right)), ]
    there <- rule(pairs$x.name, pairs$y.name)
    back <- rule(pairs$y.name, pairs$x.name)
    expect_equal(there$count, pairs$formulas)
    expect_equal(there$support, pairs$support)
    expect_equal(there$confidence, pairs$confidenceXY)
    expect_equal(back$confidence, pairs$confidenceYX)
    expect_equal(there$lift, pairs$lift)

    # Without the sets of seven drugs, arules would take some sets of six for closed.
    sets <- bencao_patterns(con, "sets", names = names, minFormulas = least)
    key <- function(sets) vapply(sets, function(set) paste(sort(set), collapse = " "), "")
    ours <- key(lapply(sets$drugs, `[[`, "name"))
    for (mine in c(arules::apriori, arules::eclat)) {
      found <- mine(transactions, list(target = "closed frequent itemsets", support = least / length(drugs), minlen = 3,
        maxlen = 7), control = silent)
      found <- found[arules::size(found) <= 6]
      theirs <- key(arules::LIST(arules::items(found)))
      expect_gt(length(ours), 100)
      expect_equal(sort(theirs), sort(ours))
      same <- match(ours, theirs)
      expect_equal(arules::quality(found)$count[same], sets$formulas)
      expect_equal(arules::quality(found)$support[same], sets$support)
      expect_equal(arules::interestMeasure(found, "lift", transactions)[same], sets$lift)
    }
  }
})

test_that("a key may be in a file", {
  file <- tempfile()
  writeLines(Sys.getenv("BENCAO_API_KEY"), file)
  expect_gt(bencao_get(bencao(key_file = file), "stats")$plantTaxa, 0)
})

test_that("a version is asked by its name", {
  now <- bencao_version(bencao())$dataVersion
  expect_equal(bencao_version(bencao(version = now))$dataVersion, now)
  expect_error(bencao_get(bencao(version = "20200101T000000Z-abcdef"), "stats"), class = "httr2_http_410")
})

test_that("what still holds is not sent again", {
  con <- bencao()
  first <- bencao_species(con, "Panax", pageSize = 2)
  kept <- mget(ls(con$kept), con$kept)
  expect_equal(bencao_species(con, "Panax", pageSize = 2), first)
  expect_equal(nrow(first), 3)
  expect_identical(mget(ls(con$kept), con$kept), kept) # the server answered 304, so nothing was replaced
})

test_that("the limit is waited for as long as the server says", {
  slow <- bencao(key = Sys.getenv("SLOW_KEY"), tries = 1)
  refused <- tryCatch(for (i in 1:4) bencao_get(slow, "stats"), httr2_http_429 = identity)
  expect_s3_class(refused, "httr2_http_429")
  expect_true(is_transient(refused$resp))
  wait <- httr2::resp_retry_after(refused$resp)
  expect_true(wait >= 1 && wait <= 60)
})

test_that("the results of prescriptions are tables whose ids stay texts", {
  folder <- tempfile()
  dir.create(folder)
  for (table in c("drugs", "names", "transactions", "matrix", "herbs", "pairs", "sets", "nearest"))
    writeLines("\ufeffprescription,dose,drug\n001,10,\u9ebb\u9ec4\n001,,\u6842\u679d", file.path(folder, paste0(table, ".csv")), useBytes = TRUE)
  writeLines("methods", file.path(folder, "methods.txt"))
  result <- bencao_prescriptions(folder)
  expect_equal(result$drugs$prescription, c("001", "001"))
  expect_equal(result$drugs$dose, c("10", NA))
  expect_equal(result$transactions, list("001" = c("\u9ebb\u9ec4", "\u6842\u679d")))
  expect_equal(result$methods, "methods")
})
