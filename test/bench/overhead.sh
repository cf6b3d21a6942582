#!/bin/sh
# What autotune: costs over the driver it wraps; see --help.

usage()
{
    cat <<END
usage: overhead.sh [options], by way of: make bench
  --fs LIST       wrapped drivers, separated by commas (ufs,gpfs,lustre; all but
                  ufs are stand-ins)
  --ranks N       ranks of the collective measurements (8)
  --rounds N      how long to measure, in rounds (100)
  --json FILE     the results as a JSON array too
  --instructions  count instructions with callgrind, one rank, instead of timing:
                  exact to repeat, but blind to what the kernel does
  --help          this text
exit code: 0 all ratios are within their targets, 1 one is not, 2 usage or failure
END
}

bad_usage()
{
    usage >&2
    exit 2
}

drivers=ufs,gpfs,lustre ranks=8 rounds=100 json= instructions=
while [ $# -gt 0 ]; do
    case $1 in
        --fs | --ranks | --rounds | --json)
            [ $# -ge 2 ] || bad_usage
            case $1 in
                --fs) drivers=$2 ;;
                --ranks) ranks=$2 ;;
                --rounds) rounds=$2 ;;
                --json) json=$2 ;;
            esac
            shift
            ;;
        --instructions) instructions=1 ;;
        --help)
            usage
            exit 0
            ;;
        *) bad_usage ;;
    esac
    shift
done

. "$top_srcdir/test/lib.sh"

program=$top_builddir/test/bench/overhead
watchdog=3600
failed=0

# counted FS WORK SIDE: instructions per call
counted()
{
    over "$1" mpi 1 valgrind --tool=callgrind --callgrind-out-file="$scratch/count" \
        --toggle-collect=work_block "$program" --directory "$scratch" --fs "$1" --work "$2" \
        --count "$3" --calls 200 > "$scratch/log" 2>&1 || return 2
    awk '/^summary:/ { printf "%.1f\n", $2 / 200 }' "$scratch/count"
}

count_instructions()
{
    command -v valgrind > /dev/null || { echo "no valgrind" >&2; exit 2; }
    printf '%-7s %-23s %12s %12s  %s\n' driver work base autotune ratio
    for fs in $(echo "$drivers" | tr , ' '); do
        work=0
        for name in "write 4 KiB" "empty collective write" "open and close"; do
            base=$(counted "$fs" $work base) && tuned=$(counted "$fs" $work autotune) \
                && [ -n "$base" ] && [ -n "$tuned" ] || { cat "$scratch/log" >&2; exit 2; }
            awk -v fs="$fs" -v name="$name" -v a="$base" -v b="$tuned" 'BEGIN {
                printf "%-7s %-23s %12.1f %12.1f  %.4f\n", fs, name, a, b, b / a }'
            work=$((work + 1))
        done
    done
}

# The base and the program run alike under the stand-in, where there is one.
time_calls()
{
    for fs in $(echo "$drivers" | tr , ' '); do
        over "$fs" mpi "$ranks" "$program" --directory "$scratch" --fs "$fs" --rounds "$rounds" \
            --json "$scratch/json"
        case $? in
            0) ;;
            1) failed=1 ;;
            *) exit 2 ;;
        esac
        over "$fs" mpi "$ranks" "$top_builddir/test/bench/redecide" "$scratch" "$fs" "$rounds"
        case $? in
            0) ;;
            1) failed=1 ;;
            *) exit 2 ;;
        esac
    done
    if [ -n "$json" ]; then
        { echo '['; sed '$!s/$/,/' "$scratch/json"; echo ']'; } > "$json" || exit 2
    fi
    exit $failed
}

if [ -n "$instructions" ]; then count_instructions; else time_calls; fi
