#!/bin/sh
# Files on Lustre that get their striping when their size is known.
. "${top_srcdir:?}/test/lib.sh"

export LATE_PROFILE="$top_srcdir/test/driver/profiles/stripes.json"
for ranks in 1 4 7; do
    mkdir "$scratch/d"
    over lustre check_mpi "$ranks ranks" $ranks "$top_builddir/test/driver/late" "$scratch/d" lustre
    rm -r "$scratch/d"
done
done_testing
