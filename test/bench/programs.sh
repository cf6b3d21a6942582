#!/bin/sh
# How much longer programs take that are watched; make bench-programs
#     programs.sh [ROUNDS [RANKS]]
# IOR-like accesses and the kernels of study/workloads, by themselves, with `record` and with all
# modules, in turn; in each round another is the first.  Files and spools are in memory if there is
# room: a disk would only hide what it costs.  Times are those of open, calls and close, and of the whole
# run with the launcher; ratios are of runs of one round, and their medians are told.  Exit code: 0 none
# takes more than 1.02 of its time, 1 one does.
. "${top_srcdir:?}/test/lib.sh"

rounds=${1:-9} ranks=${2:-2} asked=1.02
watchdog=600
library=$top_builddir/watch/.libs/libautotune-watch.so
workloads=$top_builddir/study/workloads
export LD_LIBRARY_PATH="$LIBDIR${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

# 1 GiB for files, and for spools
place=$scratch
if [ "$(df -Pk /dev/shm 2> /dev/null | awk 'NR == 2 { print ($4 > 2 * 1024 * 1024) }')" = 1 ]; then
    place=$(mktemp -d /dev/shm/autotune-programs.XXXXXX) || exit 2
    trap 'rm -rf "$scratch" "$place"' EXIT
fi
echo "files are in $place, $ranks ranks, $rounds rounds"

# run MODULES PROGRAM OPTION...: seconds of its I/O and of all
run()
{
    _modules=$1 _program=$2
    shift 2
    if [ -n "$_modules" ]; then
        set -- env ROMIO_AUTOTUNE_WATCH="$_modules,spool:dir=$place" LD_PRELOAD="$library" "$workloads/$_program" "$@"
    else
        set -- env "$workloads/$_program" "$@"
    fi
    _from=$(date +%s.%N)
    mpi "$ranks" "$@" --json "$place/file" > "$scratch/said" || exit 2
    _to=$(date +%s.%N)
    rm -f "$place/file" "$place"/*.spool
    sed -n 's/.*"seconds": *\([0-9.e+-]*\).*/\1/p' "$scratch/said" |
        awk -v all="$_from $_to" '{ sum += $1 } END { split(all, at, " "); print sum "\t" at[2] - at[1] }'
}

# compare NAME PROGRAM OPTION...: a line for each round: name, I/O and all of bare, record, all modules
compare()
{
    _name=$1
    shift
    for _round in $(seq "$rounds"); do
        for _turn in 0 1 2; do
            case $(((_round + _turn) % 3)) in
                0) bare=$(run "" "$@") || exit 2 ;;
                1) record=$(run record "$@") || exit 2 ;;
                2) all=$(run record,survey,readahead,histogram "$@") || exit 2 ;;
            esac
        done
        printf '%s\t%s\t%s\t%s\n' "$_name" "$bare" "$record" "$all"
    done
}

{
    compare "write, 1 MiB transfers" pattern --pattern segmented --bytes 256M --calls 256 --independent --repeat 10
    compare "write, 256 KiB transfers" pattern --pattern segmented --bytes 256M --calls 1024 --independent --repeat 10
    compare "write, 4 KiB transfers" pattern --pattern segmented --bytes 64M --calls 16384 --independent --repeat 10
    compare "read, 1 MiB transfers" pattern --pattern segmented --bytes 256M --calls 256 --independent --read --repeat 10
    compare "strided collective write" pattern --pattern strided --bytes 64M --block 16K --repeat 10
    if [ -x "$workloads/vpic" ]; then
        compare "vpic" vpic --scale 0.5 --repeat 10
        compare "vorpal" vorpal --scale 0.5 --steps 10 --repeat 10
        compare "gcrm" gcrm --scale 0.3 --repeat 10
    else
        echo "the HDF5 kernels were not built: there is no HDF5 for MPICH" >&2
    fi
} > "$scratch/rounds"

awk -F '\t' -v asked=$asked '
    function median(values, count,    i, j, swap) {
        for (i = 2; i <= count; i++)
            for (j = i; j > 1 && values[j] < values[j - 1]; j--) { swap = values[j]; values[j] = values[j - 1]; values[j - 1] = swap }
        return values[int((count + 1) / 2)]
    }
    function ratio(what, values,    middle) {
        middle = median(values, count)
        missed = missed || middle > asked
        return sprintf("  %s %.3f (%.3f to %.3f)", what, middle, values[1], values[count])
    }
    function tell(    line) {
        missed = 0
        line = ratio("record", one) ratio("all modules", two) "; whole run:" ratio("record", three) ratio("all modules", four)
        printf "%-26s %7.2f s%s%s\n", name, median(bare, count), line, missed ? ": MISSED" : ""
        bad += missed
        count = 0
    }
    NR > 1 && $1 != name { tell() }
    {
        name = $1
        bare[++count] = $2
        one[count] = $4 / $2; two[count] = $6 / $2; three[count] = $5 / $3; four[count] = $7 / $3
    }
    END { if (count > 0) tell(); exit bad > 0 }' "$scratch/rounds"
