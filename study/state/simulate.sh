#!/bin/sh
# The simulation of targets that may be busy, with few of them.
. "${top_srcdir:?}/test/lib.sh"

simulate=$top_builddir/study/state/simulate

check "--help" ends 0 "usage: simulate" "$simulate" --help
check "an unknown option" ends 2 "unknown option --nonsense" "$simulate" --nonsense
"$simulate" --targets 64 --points 60 --runs 4 > "$scratch/tables" 2> "$scratch/progress"
check "it ends" test $? -eq 0
check "progress" grep -q "84 of 84" "$scratch/progress"
check "a table for each reading" test "$(grep -c '^## Throughput' "$scratch/tables")" -eq 3
check "a row for each world" test "$(grep -c '^| 0' "$scratch/tables")" -eq 252
# by the slowest target, which is what the best shares are best for
not_below()
{
    awk '/^best shares:/ { print; exit !($5 >= 0.99 && $9 >= 0.99) }' "$scratch/tables"
}
check "the best shares are not below equal ones, nor equation 3's" not_below
# who knows the states gains more than who guesses
rises()
{
    awk -F '|' '/^## / { section++ } section == 1 && /^\| 0/ { if ($4 > 61 && $6 + 0.01 < last) bad = 1; last = $6 }
        END { exit bad }' "$scratch/tables"
}
check "better predictions gain more" rises
done_testing
