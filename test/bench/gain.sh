#!/bin/sh
# What decisions gain; see --help.

usage()
{
    cat <<END
usage: gain.sh [options], by way of: make bench-gain
  --directories LIST  where to write, separated by commas (a new one in /tmp and
                      one in /dev/shm)
  --ranks N           ranks (8)
  --rounds N          runs of each configuration (10)
  --bytes N           of each rank (16777216)
  --profile FILE      to decide with (default: what the driver finds)
  --help              this text
exit code: 0 all goals are met, 1 one is not, 2 usage or failure
END
}

bad_usage()
{
    usage >&2
    exit 2
}

directories= ranks=8 rounds=10 bytes=16777216 profile=
while [ $# -gt 0 ]; do
    case $1 in
        --directories | --ranks | --rounds | --bytes | --profile)
            [ $# -ge 2 ] || bad_usage
            case $1 in
                --directories) directories=$2 ;;
                --ranks) ranks=$2 ;;
                --rounds) rounds=$2 ;;
                --bytes) bytes=$2 ;;
                --profile) profile=$2 ;;
            esac
            shift
            ;;
        --help)
            usage
            exit 0
            ;;
        *) bad_usage ;;
    esac
    shift
done

. "$top_srcdir/test/lib.sh"

watchdog=3600
failed=0
if [ -z "$directories" ]; then
    shared=$(mktemp -d /dev/shm/autotune-gain.XXXXXX) || exit 2
    trap 'rm -rf "$scratch" "$shared"' EXIT
    directories=$scratch,$shared
fi
for directory in $(echo "$directories" | tr , ' '); do
    # shellcheck disable=SC2086 # none, or one word
    mpi "$ranks" "$top_builddir/test/bench/gain" "$directory" "$rounds" "$bytes" $profile
    case $? in
        0) ;;
        1) failed=1 ;;
        *) exit 2 ;;
    esac
    rm -f "$directory/written" "$directory/read"
done
exit $failed
