#!/bin/sh
# Random programs that are watched while things go wrong: output, exit code and files are the same as
# without the library.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/tools/collect.lib.sh"

faults='none killed ended stopped refused small-disk full-disk away gone no-folder clock little'
clock=$top_builddir/test/tools/.libs/collect_clock.so
mkdir small
small=no
if [ "$me" -eq 0 ] && mount -t tmpfs -o size=128k,mode=755 none small 2> /dev/null; then
    small=yes
    trap 'umount "$scratch/small"; rm -rf "$scratch"' EXIT
fi
# shellcheck disable=SC3045 # all shells that there are know it
ulimit -S -n 10100 2> /dev/null || echo "# fewer than 10,000 files at a time"

# told FILE COMMAND...: output and exit code, through a pipe; its files are in FILE.files
told()
{
    _said=$1
    shift
    rm -rf "$_said.files"
    mkdir "$_said.files"
    {
        (cd "$_said.files" && timeout -k 5 "$watchdog" "$@" 2>&1 < /dev/null)
        echo "code $?"
    } | cat > "$_said"
}

# --- faults: what is set up, and what happens while the program runs

# set_up FAULT
set_up()
{
    folder=$own preloads=$library collects='' limit='' meanwhile=true collector=''
    case $1 in
        killed | ended | stopped | refused | away | full-disk) collects=,collect:socket=$socket ;;
    esac
    case $1 in
        killed) start && meanwhile='stop KILL' ;;
        ended) start && meanwhile=stop ;;
        stopped) start && meanwhile="kill -STOP $collector" ;;
        refused) start --limit 64K ;;
        away)
            # shellcheck disable=SC2086 # words
            start --import 1 $import_as --db "$scratch/does/not/exist.db"
            ;;
        gone) collects=,collect:socket=$scratch/nobody ;;
        no-folder) folder=/does/not/exist ;;
        clock) preloads=$clock:$library ;;
        little) limit=:limit=20000 ;;
        small-disk) [ $small = no ] && limit=:limit=8000 || folder=$scratch/small ;;
        # the collector has no room, nor has the program
        full-disk)
            if [ $small = no ]; then start --limit 4K && limit=:limit=100; else
                spools=$scratch/small/spools folder=$scratch/small
                head -c 1M /dev/zero > small/fill 2> /dev/null
                start
            fi
            ;;
    esac
}

tear_down()
{
    if [ -n "$collector" ] && kill -0 "$collector" 2> /dev/null; then
        kill -CONT "$collector"
        stop KILL
    fi
    spools=$scratch/spools
    [ $small = no ] || find small -mindepth 1 -delete
    mkdir -p "$spools"
    left=$((left + $(all_spools | wc -l)))
    forget
}

# --- the programs

# seen SEED FAULT: what happens meanwhile happens after 0 to 0.09 s
seen()
{
    told seen env LD_PRELOAD="$preloads" \
        ROMIO_AUTOTUNE_WATCH="record,survey,readahead,histogram,spool:dir=$folder$limit$collects" \
        "$programs/faults" "$1" &
    _program=$!
    sleep "0.0$(($1 / 7 % 10))"
    $meanwhile
    wait $_program
}

# same SEED FAULT
same()
{
    told bare "$programs/faults" "$1"
    set_up "$2" || return 1
    seen "$1"
    tear_down
    diff bare seen && diff -r bare.files seen.files && grep code bare && ! grep 'code 124' bare
}

if [ -n "$AUTOTUNE_FULL" ]; then last=500; else last=25; fi
left=0 seed=0
seeds $last
while [ $seed -lt $last ]; do
    for fault in $faults; do
        seed=$((seed + 1))
        [ $seed -le $last ] || break
        check "$fault, seed $seed" same $seed "$fault"
    done
done
check "some were seen" test $left -gt $((last / 2))
done_testing
