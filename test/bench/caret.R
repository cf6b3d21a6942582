# The same selection with R's caret, on the points and folds that bench_train
# wrote: Rscript caret.R FOLDS [SCORES]
#
# For each operation and algorithm 30 settings (fewer where caret has no more:
# lm, rf) with Box-Cox, centring and scaling, target ln(seconds), 10 folds.  That
# is one of the preprocessing choices of autotune train, which tries all of them.
# Debian has no Cubist; what stands for it here is nothing.

suppressMessages(library(caret))
arguments <- commandArgs(trailingOnly = TRUE)
lines <- readLines(arguments[1])
starts <- grep("^#", lines)

methods <- list(
  linear = list(method = "lm"),
  knn = list(method = "knn", tuneGrid = data.frame(k = 1:30)),
  svr = list(method = "svmRadial", tuneGrid = expand.grid(C = 2^(-1:8), sigma = c(0.05, 0.2, 0.8))),
  forest = list(method = "rf", tuneLength = 30),
  mlp = list(method = "nnet", linout = TRUE, trace = FALSE, maxit = 200,
             tuneGrid = expand.grid(size = c(2, 3, 4, 6, 8, 12), decay = c(1e-5, 1e-3, 1e-2, 1e-1, 1))))

pooled <- function(fit) sqrt(mean((fit$pred$pred - fit$pred$obs)^2))

select <- function(table) {
  x <- table[, -(1:2), drop = FALSE]
  folds <- lapply(split(seq_len(nrow(table)), table$fold), function(out) setdiff(seq_len(nrow(table)), out))
  control <- trainControl(method = "cv", index = folds, savePredictions = "final")
  sapply(methods, function(m) {
    set.seed(1)
    fit <- try(suppressWarnings(do.call(train, c(
      list(x = x, y = log(table$seconds), trControl = control, metric = "RMSE",
           preProcess = c("BoxCox", "center", "scale")), m))), silent = TRUE)
    if (inherits(fit, "try-error")) NA else pooled(fit)
  })
}

for (i in seq_along(starts)) {
  last <- if (i < length(starts)) starts[i + 1] - 1 else length(lines)
  words <- strsplit(lines[starts[i]], " ")[[1]][-1]
  table <- read.table(text = lines[(starts[i] + 1):last],
                      col.names = c("fold", "seconds", words[-1]))
  time <- system.time(errors <- select(table))[["elapsed"]]
  best <- names(which.min(errors))
  cat(sprintf("caret %s %d %s %.5f %.2f\n", words[1], nrow(table), best, min(errors, na.rm = TRUE), time))
}
