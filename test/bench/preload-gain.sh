#!/bin/sh
# What the preload library gains for programs of Debian's MPICH on the timed stand-in for Lustre;
# make bench-preload-gain
#     preload-gain.sh [PAIRS]
# That MPICH has no driver for Lustre: its files have the file system's one stripe, and ufs writes
# them.  The ground is that of study/standin, whose points the profile is trained from; runs without
# and with the library take turns.  Exit code: 0 no workload is more than 2 % slower, 1 one is.
. "${top_srcdir:?}/test/preload/host.sh"
. "$top_srcdir/test/lib.sh"

pairs=${1:-5}
watchdog=600
workloads=$top_srcdir/study/workloads
export STANDIN="lustre:$scratch" STANDIN_OSTS=12 STANDIN_TIME=ost:20,node:40,latency:5000,lock:25000 \
    STANDIN_LAYOUT=1:1048576 MPIR_CVAR_POLLS_BEFORE_YIELD=0
standin=$top_builddir/test/grounds/standin/.libs/standin.so

"$MPICC" -O2 -D_GNU_SOURCE -I"$top_srcdir/study" -I"$top_srcdir/tools" -I"$top_srcdir/models" -o "$scratch/pattern" \
    "$workloads/pattern.c" "$workloads/patterns.c" "$workloads/workload.c" "$workloads/workload_fill.c" \
    "$workloads/workload_report.c" "$top_builddir/tools/common/.libs/libcommon.a" -ljson-c -lm || exit 2
echo "training the profile" >&2
"$top_builddir/tools/autotune/autotune" train "$top_srcdir/study/standin/data/lustre-timed/points.json" \
    -o "$scratch/profile.json" > "$scratch/training" 2>&1 || { cat "$scratch/training" >&2; exit 2; }

# run PRELOADED OPTION...: seconds of the collective calls, a tab, what the driver says
run()
{
    _preloaded=$1
    shift
    LD_PRELOAD=$_preloaded mpi 8 "$top_srcdir/test/grounds/standin/on-nodes" 4 "$scratch/pattern" --json --delete \
        --calls 1 "$@" "$scratch/file" > "$scratch/said" || exit 2
    awk -f "$top_srcdir/test/bench/calls.awk" "$scratch/said"
}

# compare NAME OPTION...: a line for each pair
compare()
{
    _name=$1
    shift
    for _pair in $(seq "$pairs"); do
        _default=$(run "$standin" "$@") || exit 2
        _ours=$(ROMIO_FSTYPE_FORCE=autotune: ROMIO_AUTOTUNE_PROFILE=$scratch/profile.json \
            run "$standin:$library" "$@") || exit 2
        printf '%s\t%s\t%s\n' "$_name" "$_default" "$_ours"
    done
}

{
    compare "contiguous, 4 MiB a process" --pattern contiguous --bytes 4194304
    compare "contiguous, 1.25 MiB" --pattern contiguous --bytes 1310720
    compare "strided, 3 MiB by 16 KiB" --pattern strided --bytes 3145728 --block 16384
    compare "strided, 4.5 MiB by 768 KiB" --pattern strided --bytes 4718592 --block 786432
    compare "strided, 512 KiB by 4 KiB" --pattern strided --bytes 524288 --block 4096
    compare "uneven, 3.5 MiB by 64 KiB" --pattern uneven --bytes 3670016 --block 65536
    compare "2-D blocks, 2.5 MiB by 20 KiB" --pattern 2d --bytes 2621440 --block 20480
    compare "segmented, 3 calls of 1.5 MiB" --pattern segmented --bytes 4718592 --calls 3
} > "$scratch/pairs"

awk -F '\t' -v one=default -v other=preloaded -f "$top_srcdir/test/bench/pairs.awk" "$scratch/pairs"
