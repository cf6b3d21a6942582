#!/bin/sh
# Small calls among large ones change nothing for these, nor for the stripes of a new file.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/driver/profiles.sh"

export STANDIN_LAYOUT=1:1048576

# run FS RANKS
run()
{
    mkdir "$scratch/d"
    over "$1" check_mpi "$1, $2 ranks" "$2" "$top_builddir/test/driver/small" "$scratch/d" "$1"
    rm -r "$scratch/d"
}

for ranks in 2 4; do
    with_profile "$top_srcdir/test/driver/profiles/stripes.json" run lustre $ranks
    for fs in ufs gpfs; do with_profile "$(forced_profile change)" run $fs $ranks; done
done
done_testing
