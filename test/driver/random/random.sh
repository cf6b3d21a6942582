#!/bin/sh
# Random accesses through autotune: and through the wrapped driver, all four in
# one run: each works in a directory of its own name.
#
# Once with the profile that is built in, and once with a random profile and a
# random memory cap for each case.
#
# AUTOTUNE_FULL=1 runs five times as many cases, of a seed that is drawn; RANDOM_SEED=N repeats them.

. "$top_srcdir/test/lib.sh"

program=$top_builddir/test/driver/random/random
ranks=8
seed=20
cases=500
if [ -n "${AUTOTUNE_FULL-}" ]; then
    seed=${RANDOM_SEED:-$(od -An -N2 -tu2 /dev/urandom | tr -d ' ')}
    cases=2500
    echo "# RANDOM_SEED=$seed"
fi
watchdog=$((cases / 2 + 120))

mkdir "$scratch/ufs" "$scratch/nfs" "$scratch/gpfs" "$scratch/lustre"

over_all()
{
    STANDIN="nfs:$scratch/nfs,gpfs:$scratch/gpfs,lustre:$scratch/lustre" \
        LD_PRELOAD="$top_builddir/test/grounds/standin/.libs/standin.so" "$@"
}

seeds $((2 * cases))
over_all check_mpi "damage" "$ranks" "$program" --directory "$scratch" \
    --seed "$seed" --cases 24 --self-test
over_all check_mpi "random" "$ranks" "$program" --directory "$scratch" \
    --seed "$seed" --cases $cases

mkdir "$scratch/profiles"
awk -v seed=$((seed * 100000)) -v count=$cases -v to="$scratch/profiles" \
    -f "$top_srcdir/test/driver/random-profile.awk"
ROMIO_AUTOTUNE=enable
export ROMIO_AUTOTUNE
over_all check_mpi "random, random profiles" "$ranks" "$program" --directory "$scratch" \
    --seed "$seed" --cases $cases --profiles "$scratch/profiles"

# Temporary files must not stay behind, nor those of shared pointers.
check "nothing is left behind" sh -c "! find '$scratch'/ufs '$scratch'/nfs '$scratch'/gpfs \
    '$scratch'/lustre -type f | grep ."

done_testing
