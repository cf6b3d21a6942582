#!/bin/sh
# autotune-collect when things go wrong: no call of a program is lost or there twice, and no client
# disturbs another.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/tools/collect.lib.sh"

# while_writing COMMAND...: runs it while a program writes; the program is the same as without
while_writing()
{
    watched "$writer" f 60000 5000 > said &
    _writer=$!
    await connected
    sleep 0.1
    "$@"
    wait $_writer && [ "$(cat said)" = "done" ]
}
connected() { "$collect" --show --socket "$socket" | grep -q ': 1 processes'; }

# --- the collector goes

start
check "killed: the program is the same" while_writing stop KILL
check "killed: every call, once" is_once 60000
check "killed: in one spool" test "$(all_spools | wc -l)" -eq 1
forget
start
check "ended: the program is the same" while_writing stop
check "ended: every call, once" is_once 60000
check "ended: in one spool" test "$(all_spools | wc -l)" -eq 1
forget
if [ -n "$AUTOTUNE_FULL" ]; then rounds=$(seq 50); else rounds='1 2 3'; fi
buffer=1M
for round in $rounds; do
    start
    watched "$writer" f 16000 1000 > /dev/null &
    one=$!
    watched "$writer" f 16000 700 > /dev/null &
    two=$!
    sleep "0.0$((round % 10))"
    stop KILL
    wait $one $two
    check "killed at any time: every call of two programs, round $round" counted 32000
    check "none is dropped" test "$_dropped" -eq 0
    forget
done
buffer=4M

# --- it hangs: the program does not

start
check "stopped: the program is the same" while_writing kill -STOP "$collector"
kill -CONT "$collector"
check "stopped: what was not taken is counted" await counted 60000
forget
# more than socket and memory hold
watched "$writer" f 10 0 > /dev/null
kill -STOP "$collector"
check "nobody reads: the program is the same" watched "$writer" f 300000 0
kill -CONT "$collector"
check "nobody reads: what was not taken is counted" await counted 300010
stop
forget

# --- no room

start --limit 1M
check "the limit of a user: the program is the same" watched "$writer" f 60000 1000
check "the limit of a user: the rest is in a spool of the program's" is_once 60000
bounded() { [ "$(du -sb "$spools/$me" | cut -f 1)" -le 1060000 ]; }
check "the limit is kept" bounded
check "and said" sh -c '"$1" --show --json --socket "$2" | grep "\"full\":1"' sh "$collect" "$socket"
forget
stores() { "$client" "$socket" blocks 2 | grep -q '^safe'; }
check "there is room again" await stores
stop
forget

# in units of 512 bytes
( ulimit -f 2048 && start && echo "$collector" > pid )
check "files cannot grow: the program is the same" watched "$writer" f 60000 1000
check "files cannot grow: every call, once" is_once 60000
kill "$(cat pid)"
await flock -n "$socket.lock" true
forget

mkdir small
if [ "$me" -eq 0 ] && mount -t tmpfs -o size=1m,mode=755 none small 2> /dev/null; then
    spools=$scratch/small/spools
    start
    check "the disk is full: the program is the same" watched "$writer" f 60000 1000
    check "the disk is full: every call, once" is_once 60000
    check "the disk is full: the collector answers" "$collect" --show --socket "$socket"
    stop
    umount small
    spools=$scratch/spools
    forget
else
    skip "the disk is full" "no small file system can be mounted"
fi

# --- the clock goes back

LD_PRELOAD=$top_builddir/test/tools/.libs/collect_clock.so
export LD_PRELOAD
start
unset LD_PRELOAD
check "the clock goes back: the program is the same" watched "$writer" f 20000 1000
check "the clock goes back: every call, once" is_once 20000
check "the clock goes back: samples are of their time" sh -c 'sleep 1; "$1" --show --json --socket "$2" | python3 -c "
import json, sys
d = json.load(sys.stdin)
samples = [s for l in d[\"levels\"] for s in l[\"samples\"]]
assert len(samples) > 10 and all(0 < s[\"seconds\"] < 600 for s in samples)"' sh "$collect" "$socket"
stop
forget

# --- hostile clients

start
check "garbage" sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do "$1" "$2" garbage $i | grep "^refused" || exit 1; done' sh "$client" "$socket"
check "a block of any length" "$client" "$socket" huge
check "half a block" "$client" "$socket" half
whole()
{
    all_spools | while read -r _spool; do
        [ "$(stat -c %s "$_spool")" -eq 88 ] || echo "$_spool"
    done > "$scratch/cut"
    cat "$scratch/cut"
    [ "$(all_spools | wc -l)" -eq 2 ] && [ ! -s "$scratch/cut" ]
}
check "what is there is whole" whole
forget
check "one that never reads" "$client" "$socket" deaf 100000
check "many that say nothing" sh -c '"$1" "$2" silent 200 & sleep 1; "$3" --show --socket "$2" && wait' sh "$client" "$socket" "$collect"
check "others are heard" watched "$writer" f 20000 1000
check "the words of an orderly one" sh -c '"$1" "$2" blocks 3 | tail -n 1 | grep -x "safe $((64 + 3 * 65552 + 16)) "' sh "$client" "$socket"
check "too many spools of a user at once" sh -c '"$1" "$2" spools 600 > "$3" && cat "$3" && awk "{ exit !(\$1 > 0 && \$1 <= 512 && \$1 + \$3 == 600) }" "$3"' sh "$client" "$socket" "$scratch/spools-said"
check "a process has one vote" test "$("$client" "$socket" votes 5)" = "one vote"
check "it goes on" "$collect" --show --socket "$socket"
check "it did not say much" test "$(wc -l < complaints)" -le 25
check "it ends" stop
done_testing
