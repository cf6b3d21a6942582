# Sourced by the tests of autotune-collect, after test/lib.sh: a collector, and programs that are
# watched.

collect=$top_builddir/site/collect/autotune-collect
library=$top_builddir/watch/.libs/libautotune-watch.so
programs=$top_builddir/test/watch
writer=$top_builddir/test/tools/collect_writer
client=$top_builddir/test/tools/collect_client
PATH=$top_builddir/tools/autotune:$PATH # which imports
socket=$scratch/run/collect.sock
spools=$scratch/spools
me=$(id -u)
import_as='' # what root has to say with --import
[ "$me" -ne 0 ] || import_as='--import-as root'
own=$scratch/own # spools of programs that have no collector
mkdir "$own"
cd "$scratch" || exit 99

# await COMMAND...: until it succeeds, for some time
await()
{
    _tries=0
    until "$@" > /dev/null 2>&1; do
        _tries=$((_tries + 1))
        [ $_tries -lt 300 ] || return 1
        sleep 0.1
    done
}

# start OPTION...: a collector, whose number is $collector; what it complains is in complaints
start()
{
    "$collect" --foreground --socket "$socket" --dir "$spools" --keep-free 1M "$@" 2> complaints &
    collector=$!
    await "$collect" --show --socket "$socket"
}

# stop [SIGNAL]: its exit code
stop()
{
    kill "-${1-TERM}" "$collector"
    wait "$collector" 2> /dev/null
}

# watched COMMAND...: with the library and the collector.  A thread has room for 65536 calls: none
# is dropped because a busy machine was late
buffer=4M
modules=record
watched()
{
    timeout "$watchdog" env ROMIO_AUTOTUNE_WATCH="$modules,collect:socket=$socket,spool:dir=$own:buffer=$buffer" \
        LD_PRELOAD="$library" "$@" < /dev/null
}

# all_spools: those of the collector, and those of programs' own
all_spools()
{
    find "$spools" "$own" -name '*.spool'
}

forget()
{
    all_spools | xargs rm -f
}

# taken COMMAND...: until the collector took all of its calls; on a busy machine a program that ends
# may give up waiting for it, and has a spool of its own
taken()
{
    for _try in 1 2 3 4 5 6 7 8 9 10; do
        forget
        "$@" || return 1
        [ -n "$(find "$own" -name '*.spool')" ] || return 0
    done
    return 1
}

# counted NUMBER: so many calls of pwrite are in all spools, seen or dropped
counted()
{
    all_spools | while read -r _spool; do
        "$programs/dump" "$_spool" || echo "ended with $?"
    done > dumped
    _seen=$(grep -c ' posix pwrite ' dumped)
    _dropped=$(awk '$1 == "dropped" { sum += $2 } END { print sum + 0 }' dumped)
    echo "$_seen seen, $_dropped dropped"
    all_spools
    [ $((_seen + _dropped)) -eq "$1" ]
}

# is_once NUMBER: all were seen, each once; a spool that was given up has no end
is_once()
{
    counted "$1" && [ "$_dropped" -eq 0 ] && ! grep 'ended with [^3]' dumped &&
        [ "$(grep " posix pwrite " dumped | awk "{ print \$5 }" | sort -u | wc -l)" -eq "$1" ]
}
