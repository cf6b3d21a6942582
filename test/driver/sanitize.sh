#!/bin/sh
# The driver's tests with an MPICH whose memory accesses and arithmetic are
# checked (address and undefined-behaviour sanitizers).
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/driver/profiles.sh"

watchdog=600
for program in names hints modes opens fallback truth states; do
    # shellcheck disable=SC2086
    "$MPICC" -std=gnu11 -g $SANITIZERS -I"$top_srcdir/test" \
        -o "$scratch/$program" "$top_srcdir/test/driver/$program.c" || exit 99
done

# run PROGRAM FS: reports go to files, one for each rank
run()
{
    mkdir "$scratch/d"
    preload=$("${CC:-gcc}" -print-file-name=libasan.so)
    case $2 in
        ufs) STANDIN='' ;;
        *) STANDIN="$2:$scratch" preload="$preload:$top_builddir/test/grounds/standin/.libs/standin.so" ;;
    esac
    mpi 4 env STANDIN="$STANDIN" LD_PRELOAD="$preload" LD_LIBRARY_PATH="$SANITIZED" \
        ASAN_OPTIONS="detect_leaks=1:halt_on_error=0:log_path=$scratch/report:exitcode=0" \
        LSAN_OPTIONS="report_objects=0" UBSAN_OPTIONS="log_path=$scratch/report" \
        "$scratch/$1" "$scratch/d" "$2" > "$scratch/out" 2>&1
    rc=$?
    rm -r "$scratch/d"
    return $rc
}

nothing_of_ours()
{
    cat "$scratch"/report.* > "$scratch/reports" 2> /dev/null
    rm -f "$scratch"/report.*
    awk -f "$top_srcdir/test/driver/ours.awk" "$scratch/reports" > "$scratch/found"
    cat "$scratch/found"
    [ ! -s "$scratch/found" ]
}

# A bad access in a function with a name of ours: what finds nothing must be able to.
cat > "$scratch/control.c" <<'END'
#include <mpi.h>
#include <stdlib.h>
static __attribute__((noinline)) char ADIOI_AUTOTUNE_control(volatile char *p, int i)
{
    return p[i];
}
int main(int argc, char **argv)
{
    volatile char *p = malloc(8);
    MPI_Init(&argc, &argv);
    char c = p ? ADIOI_AUTOTUNE_control(p, 8) : 0;
    free((void *) p);
    MPI_Finalize();
    return c == 1;
}
END
# shellcheck disable=SC2086
"$MPICC" -std=gnu11 -g $SANITIZERS -o "$scratch/control" "$scratch/control.c" || exit 99
run control ufs
control_is_found()
{
    ! nothing_of_ours && grep -q heap-buffer-overflow "$scratch/found" &&
        grep -q ADIOI_AUTOTUNE_control "$scratch/found"
}
check "a bad access is found" control_is_found
# and one inside the library: ROMIO itself is built with sanitizers
instrumented()
{
    nm -D "$SANITIZED/libmpi.so" | grep -q __asan_report_load && nm "$SANITIZED/libmpi.so" |
        grep -q ADIOI_AUTOTUNE_
}
check "the library is instrumented" instrumented

# Two of them with decisions that are random and differ from call to call.
seed=6000
export STANDIN_LAYOUT=2:65536 STANDIN_BLKSIZE=4096
for fs in ufs nfs gpfs lustre; do
    programs='names hints modes fallback truth states'
    # a thousand opens, and NFS, which has no code of ours: with AUTOTUNE_FULL=1
    if [ $fs = ufs ] || [ -n "${AUTOTUNE_FULL-}" ]; then programs="$programs opens"; fi
    if [ $fs = nfs ] && [ -z "${AUTOTUNE_FULL-}" ]; then programs=names; fi
    for program in $programs; do
        case $program in
            truth | states) seed=$((seed + 1)) with="with_profile $(random_profile $seed)" ;;
            *) with='' ;;
        esac
        # ROMIO's GPFS driver takes the distance of two allocations for an int
        # (ad_gpfs_aggrs.c:771), and with sanitizers they are far apart: one aggregator
        # has one
        case $fs:$program in
            gpfs:truth | gpfs:states) with="with_profile $(forced_profile one)" ;;
        esac
        # shellcheck disable=SC2086 # words
        if $with run $program $fs; then
            ok "$program over $fs runs"
        else
            not_ok "$program over $fs runs" "$scratch/out"
        fi
        check "$program over $fs: sanitizers find nothing of ours" nothing_of_ours
    done
done
done_testing
