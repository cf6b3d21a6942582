#!/bin/sh
# Writes on Lustre that nobody needs to aggregate.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/driver/profiles.sh"

export STANDIN_LAYOUT=2:65536
profile=$(forced_profile independent)
for ranks in 2 4 7; do
    mkdir "$scratch/d"
    over lustre with_profile "$profile" check_mpi "$ranks ranks" $ranks "$top_builddir/test/driver/alone" "$scratch/d" lustre
    rm -r "$scratch/d"
done
done_testing
