#!/bin/sh
# make bench-train: the full selection for the paper's numbers of points, then
# operation by operation next to R's caret (Debian: r-cran-caret r-cran-kernlab
# r-cran-randomforest r-cran-nnet), if it is installed.
#     bench.sh SOURCE BUILD        BENCH_OPERATIONS: those that caret does too
set -eu
source=$1 program=$2/test/bench/bench_train
scratch=$(mktemp -d "${TMPDIR:-/tmp}/autotune-bench-train.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
operations=${BENCH_OPERATIONS:-allreduce alltoall exchange write_first write_full write_partial}

echo "all operations:"
"$program"
if ! Rscript -e 'for (p in c("caret", "kernlab", "randomForest", "nnet")) library(p, character.only = TRUE)' \
    > /dev/null 2>&1; then
    echo "R's caret with kernlab, randomForest and nnet is not installed: no comparison"
    exit 0
fi
echo "operation by operation; caret with one of the 12 combinations of preprocessing and target:"
printf '%-14s %6s  %-8s %9s %9s  %-8s %9s %9s  %6s %6s\n' operation points ours "RMSE log" seconds \
    caret "RMSE log" seconds faster RMSE
for operation in $operations; do
    ONLY=$operation "$program" - "$scratch/folds" > "$scratch/ours"
    Rscript "$source/test/bench/caret.R" "$scratch/folds" > "$scratch/caret"
    grep '^score' "$scratch/ours" | cat - "$scratch/caret" | awk '
        $1 == "score" { model = $4; error = $5; time = $6 }
        $1 == "caret" { printf "%-14s %6d  %-8s %9.5f %9.2f  %-8s %9.5f %9.2f  %5.1fx %6.3f\n",
                        $2, $3, model, error, time, $4, $5, $6, $6 / time, error / $5 }'
done
