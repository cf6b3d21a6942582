#!/bin/sh
# Files on Lustre that get their striping when their size is known, with the ranks as
# processes of one client, of two and of many.
. "${top_srcdir:?}/test/lib.sh"

export LATE_PROFILE="$top_srcdir/test/driver/profiles/stripes.json"
export STANDIN_LAYOUT=1:4194304

# run PROGRAM RANKS CLIENTS
run()
{
    mkdir "$scratch/d"
    over lustre check_mpi "$1, $2 ranks, $3 clients" "$2" "$top_srcdir/test/grounds/standin/on-clients" "$3" \
        "$top_builddir/test/driver/$1" "$scratch/d" lustre
    rm -r "$scratch/d"
}

for ranks in 1 2 4 7; do
    run late $ranks 1
    run layouts $ranks 1
    if [ $ranks -gt 1 ]; then
        run late $ranks $ranks
        run layouts $ranks $ranks
    fi
done
run late 4 2
run layouts 4 2
done_testing
