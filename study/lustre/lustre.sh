#!/bin/sh
# The real Lustre as a ground: its sweep is what the runs say.
. "${top_srcdir:?}/test/lib.sh"

here=$top_srcdir/study/lustre
data=$here/data
cd "$scratch" || exit 99

"$here/ground" "$data/runs-sw.txt" "$data/runs-m1.txt" "$data/runs-m2.txt" "$data/runs-b0.txt" > sweep.json
check "the sweep is that of the runs" cmp sweep.json "$data/slow-osts/sweep.json"
done_testing
