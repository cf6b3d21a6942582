#!/bin/sh
# What autotune: costs where each process opens files alone; make bench-self
#     self.sh [PROCESSES [FILES [ROUNDS]]]
. "${top_srcdir:?}/test/lib.sh"

watchdog=3600
failed=0
for fs in ufs nfs gpfs lustre; do
    mkdir "$scratch/d"
    over $fs mpi "${1-8}" "$top_builddir/test/bench/self" "$scratch/d" $fs "${2-125}" "${3-21}"
    case $? in
        0) ;;
        1) failed=1 ;;
        *) exit 2 ;;
    esac
    rm -r "$scratch/d"
done
exit $failed
