#!/bin/sh
# What opens and decisions cost over the number of ranks; see --help.

usage()
{
    cat <<END
usage: scale.sh [options], by way of: make bench-scale
First real ranks, more of them than there are cores: opening and closing a file,
and its first collective write, through autotune: (mode automatic, then disable)
against the wrapped driver.  Then, in one process without MPI, what a decision
takes on rank 0 and on another rank of jobs up to a million ranks.
  --fs LIST       wrapped drivers, separated by commas (ufs,nfs,gpfs,lustre; all
                  but ufs are stand-ins)
  --ranks LIST    numbers of ranks (8,32,64,128,256)
  --rounds N      rounds at 256 ranks (5); more of them where there are fewer ranks
  --names HOW     prefix: names say which driver (default); plain: it is detected
  --json FILE     the results of real ranks as a JSON array too
  --model         only the part without MPI
  --help          this text
Opens may take 1.05 of the wrapped driver's time on up to 8 ranks, 1.10 on more.
exit code: 0 all ratios are within their targets, 1 one is not, 2 usage or failure
END
}

bad_usage()
{
    usage >&2
    exit 2
}

drivers=ufs,nfs,gpfs,lustre sizes=8,32,64,128,256 rounds=5 names=prefix json= model=
while [ $# -gt 0 ]; do
    case $1 in
        --fs | --ranks | --rounds | --names | --json)
            [ $# -ge 2 ] || bad_usage
            case $1 in
                --fs) drivers=$2 ;;
                --ranks) sizes=$2 ;;
                --rounds) rounds=$2 ;;
                --names) names=$2 ;;
                --json) json=$2 ;;
            esac
            shift
            ;;
        --model) model=1 ;;
        --help)
            usage
            exit 0
            ;;
        *) bad_usage ;;
    esac
    shift
done

. "$top_srcdir/test/lib.sh"

watchdog=7200
failed=0

# time_opens FS RANKS
time_opens()
{
    _rounds=$((rounds * 256 / $2)) _target=1.10
    if [ "$_rounds" -lt 1 ]; then _rounds=1; fi
    if [ "$2" -le 8 ]; then _target=1.05; fi
    over "$1" mpi "$2" "$top_builddir/test/bench/overhead" --directory "$scratch" --fs "$1" \
        --names "$names" --rounds "$_rounds" --work 2,3 --target "$_target" --json "$scratch/json"
    case $? in
        0) ;;
        1) failed=1 ;;
        *) exit 2 ;;
    esac
}

if [ -z "$model" ]; then
    for size in $(echo "$sizes" | tr , ' '); do
        for fs in $(echo "$drivers" | tr , ' '); do time_opens "$fs" "$size"; done
    done
    if [ -n "$json" ]; then
        { echo '['; sed '$!s/$/,/' "$scratch/json"; echo ']'; } > "$json" || exit 2
    fi
fi
"$top_builddir/test/bench/scale" || exit 2
exit $failed
