#!/bin/sh
# Jobs that read the same state at once do not all go to the same targets.
. "${top_srcdir:?}/test/lib.sh"

herd=$top_builddir/study/state/herd

check "--help" ends 0 "usage: herd" "$herd" --help
check "more stripes than targets" ends 2 "more stripes than targets" "$herd" --targets 4 --stripes 5
"$herd" --runs 10 > "$scratch/table"
check "it ends" test $? -eq 0
check "all rows" test "$(grep -c '^| 0' "$scratch/table")" -eq 36
# Columns: 2 busy, 3 feedback, 4 policy, 5 speed-up over random, 6 stripes on the fullest target
# seeded CONDITION: holds in all rows in which each job has its own seed
seeded()
{
    awk -F '|' 'index($4, "at random") { random = $6 }
        index($4, "each with its own") && !('"$1"') { print; bad = 1 } END { exit bad }' "$scratch/table"
}
check "the fullest target has at most 1.5 times as much as at random" seeded '$6 <= 1.5 * random'
check "jobs that see nothing but themselves lose a tenth or so" seeded '$5 >= 0.85'
check "some are busy: they gain" seeded '$2 < 0.1 || $2 > 0.6 || $3 ~ /yes/ || $5 >= 1.1'
worse()
{
    awk -F '|' 'index($4, "same seed") && $5 < 0.5 { found = 1 } END { exit !found }' "$scratch/table"
}
check "without seeds they herd, so that this test could fail" worse
done_testing
