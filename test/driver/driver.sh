#!/bin/sh
# The driver's own MPI tests over every wrapped driver.
. "${top_srcdir:?}/test/lib.sh"

bin=$top_builddir/test/driver

for fs in ufs nfs gpfs lustre; do
    for program in names hints modes opens sync; do
        for ranks in 1 4 7; do
            mkdir "$scratch/d"
            over $fs check_mpi "$program over $fs, $ranks ranks" $ranks "$bin/$program" "$scratch/d" $fs
            rm -r "$scratch/d"
        done
    done
done

# where there is more than one node to have aggregators
for fs in nfs gpfs lustre; do
    mkdir "$scratch/d"
    over $fs check_mpi "opens over $fs, 7 ranks on 3 nodes" 7 "$top_srcdir/test/grounds/standin/on-nodes" 3 \
        "$bin/opens" "$scratch/d" $fs
    rm -r "$scratch/d"
done

for case in "real 1 5" "memory 2 7" "memory 1 4" "names 3 8" "names 7 7" "names 1 1"; do
    # shellcheck disable=SC2086
    set -- $case
    check_mpi "node map by $1, $2 nodes, $3 ranks" "$3" "$bin/nodemap" "$1" "$2"
done
done_testing
