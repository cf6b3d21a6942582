#!/bin/sh
# The simulation of targets that may be busy, with few of them.
. "${top_srcdir:?}/test/lib.sh"

simulate=$top_builddir/study/state/simulate

check "--help" ends 0 "usage: simulate" "$simulate" --help
check "an unknown option" ends 2 "unknown option --nonsense" "$simulate" --nonsense
"$simulate" --targets 64 --points 60 --runs 4 --figure "$scratch/figure.html" > "$scratch/tables" 2> "$scratch/progress"
check "it ends" test $? -eq 0
check "progress" grep -q "168 of 168" "$scratch/progress"
check "a table for each reading, of classifiers and of persistence" test "$(grep -c '^## Throughput' "$scratch/tables")" -eq 6
check "a row for each world" test "$(grep -c '^| 0' "$scratch/tables")" -eq 504
# by the slowest target, which is what the best shares are best for
not_below()
{
    awk '/^# / { first = 1 } first && /^best shares:/ { print; if (!($5 >= 0.99 && $9 >= 0.99)) bad = 1; first = 0 }
        END { exit bad }' "$scratch/tables"
}
check "the best shares are not below equal ones, nor equation 3's" not_below
# who knows the states gains more than who guesses
rises()
{
    awk -F '|' '/^## / { section++ } section == 1 && /^\| 0/ { if ($4 > 61 && $6 + 0.01 < last) bad = 1; last = $6 }
        END { exit bad }' "$scratch/tables"
}
check "better predictions gain more" rises
# step by step, and the mean
check "figure 12" test "$(grep -c "<polyline\|<path" "$scratch/figure.html")" -ge 3
check "with its data" test "$(grep -o "<tr" "$scratch/figure.html" | wc -l)" -eq 62
check "a page that cannot be written" ends 1 "simulate: /nowhere/" "$simulate" --targets 8 --points 2 --runs 1 --figure /nowhere/f.html
done_testing
