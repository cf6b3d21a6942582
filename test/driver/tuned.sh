#!/bin/sh
# The driver's own MPI tests with decisions active: what is reported is what
# happens, in every state of a file, and the bytes are right.  Profiles: the one
# that is built in, those that force a decision, random ones.
# AUTOTUNE_FULL=1: more random profiles and numbers of ranks (one: alone.sh).
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/driver/profiles.sh"

bin=$top_builddir/test/driver
export STANDIN_LAYOUT=2:65536 STANDIN_BLKSIZE=4096
if [ -n "${AUTOTUNE_FULL-}" ]; then seeds=10 numbers='2 4 7 8'; else seeds=1 numbers=4; fi
seed=1000

# run DESCRIPTION FS RANKS PROGRAM
run()
{
    mkdir "$scratch/d"
    over "$2" check_mpi "$4 over $2, $3 ranks, $1" "$3" "$bin/$4" "$scratch/d" "$2"
    rm -r "$scratch/d"
}

for fs in ufs nfs gpfs lustre; do
    for ranks in $numbers; do
        run "built-in profile" $fs $ranks truth
        for what in many one small large independent change; do
            TRUTH_FORCED=$what
            export TRUTH_FORCED
            with_profile "$(forced_profile $what)" run "$what" $fs $ranks truth
        done
        unset TRUTH_FORCED
        with_profile "$(forced_profile change)" run "change" $fs $ranks states
        for method in 1 2; do
            ROMIO_WRITE_AGGMETHOD=$method
            export ROMIO_WRITE_AGGMETHOD
            with_profile "$(forced_profile many)" run "ROMIO_WRITE_AGGMETHOD=$method" $fs $ranks states
            unset ROMIO_WRITE_AGGMETHOD
        done
    done
    i=0
    while [ $i -lt $seeds ]; do
        for program in names hints modes opens truth states threads; do
            seed=$((seed + 1)) ranks=$((2 + seed % 7))
            with_profile "$(random_profile $seed)" run "random profile $seed" $fs $ranks $program
        done
        i=$((i + 1))
    done
done
done_testing
