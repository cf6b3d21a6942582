#!/bin/sh
# Reasoners: processes that are slowed down by locks that somebody holds, or that are stopped, are
# named at the right level.  Nothing depends on how fast the machine is: what is waited for comes
# once it has been quiet for a second.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/tools/collect.lib.sh"

worker=$top_builddir/test/tools/reason_worker
worker_a='' worker_d='' worker_e='' writer_g='' writer_j='' # numbers of processes
mkdir system

# whatever is left when this ends
pids='' workers=''
end_all()
{
    for _pid in $workers $pids; do kill -CONT "$_pid" && kill "$_pid"; done 2> /dev/null
    wait
}
trap 'end_all; rm -rf "$scratch"' EXIT

# patiently COMMAND...: await, for minutes: others may have most of the machine
patiently()
{
    for _again in 1 2 3 4 5 6 7 8 9 10; do
        await "$@" && return 0
    done
    "$@"
}

# node NUMBER: a collector
node()
{
    "$collect" --foreground --socket "$scratch/run$1/s" --dir "$scratch/spools$1" --keep-free 1M \
        --system system 2> "complaints$1" &
    pids="$pids $!"
    await "$collect" --show --socket "$scratch/run$1/s"
}

# work NODE NAME: a process of that node; its number is $worker_NAME
work()
{
    ROMIO_AUTOTUNE_WATCH="reasoner:keep=256,collect:socket=$scratch/run$1/s,spool:dir=$own" LD_PRELOAD="$library" \
        "$worker" work "$scratch/$2" &
    workers="$workers $!"
    eval "worker_$2=$!"
}

# hold FILE...: slows their processes down, until let_go
hold()
{
    "$worker" hold 20 "$@" &
    holder=$!
    pids="$pids $holder"
}
let_go()
{
    kill "$holder"
    wait "$holder"
}

# is NODE LEVEL [NUMBER]: the signal that a node has now; the process is among those it names
is()
{
    "$collect" --show --json --socket "$scratch/run$1/s" > "health$1.json" || return 1
    cat "health$1.json"
    python3 - "health$1.json" "$2" "${3-}" << 'END'
import json, sys
health = json.load(open(sys.argv[1]))["health"]
assert health["level"] == sys.argv[2], health
if sys.argv[3]:
    assert int(sys.argv[3]) in health["named"], health
if sys.argv[2] == "process":
    assert len(health["named"]) == 1, health
END
}

# are ACTIVE: processes of node 1 and 2 that are judged
are()
{
    for _node in 1 2; do
        is $_node none || return 1
        grep -q "\"active\":$1,\"slow\":0" "health$_node.json" || return 1
    done
}

lockers()
{
    for _name in a b c; do work 1 $_name; done
    for _name in d e f; do work 2 $_name; done
}

end_workers()
{
    # shellcheck disable=SC2086 # words
    kill $workers && wait $workers
    workers=''
    patiently are 0
}

# provoke WORKERS SLOWER FASTER SEEN: SEEN is true after SLOWER, until FASTER.  On a busy machine
# that may be how slow they usually are before both nodes have said something: then with new ones,
# as what a process has learned is its own.
provoke()
{
    for _again in 1 2 3 4 5; do
        $1
        patiently are 3
        sleep 1
        $2
        _seen=1 _looks=0
        while [ "$_seen" -ne 0 ] && [ $_looks -lt 30 ]; do
            sleep 0.1
            $4 && _seen=0
            _looks=$((_looks + 1))
        done
        $3
        [ "$_seen" -ne 0 ] || { patiently are 3; return; }
        end_workers
    done
    return 1
}

check "no such folder" ends 2 "--system: there is no such folder" "$collect" --socket "$socket" --dir "$spools" --system none
check "a node" node 1
check "another one" node 2
lockers
check "all are well" patiently are 3
see_each_other()
{
    is 1 none && grep -q '"other_nodes":1' health1.json && is 2 none && grep -q '"other_nodes":1' health2.json
}
check "and know each other" patiently see_each_other

end_workers
process() { is 1 process "$worker_a" && is 2 none; }
check "one process is slow" provoke lockers "hold a" let_go process
end_workers
whole_node() { is 1 node && is 2 none; }
check "all processes of a node are slow" provoke lockers "hold a b c" let_go whole_node
end_workers
all_nodes() { is 1 system "$worker_a" && is 2 system "$worker_d"; }
check "all nodes are slow" provoke lockers "hold a b c d e f" let_go all_nodes
said()
{
    python3 - << 'END'
import json
signals = [s for i in "12" for s in json.load(open("health%s.json" % i))["health"]["signals"]]
assert any(s["level"] == "system" and s["ours"] and s["nodes"] == 2 and s["slow_nodes"] == 2 for s in signals), signals
END
}
check "it is one of them that says it" said

kill -STOP "$worker_e"
check "one process is stopped" patiently is 2 process "$worker_e"
kill -CONT "$worker_e"
check "it goes on" patiently are 3

# --- what is kept

end_workers
spool_of() { find spools1 spools2 "$own" -name "*-$1-*.spool"; }
told() { find spools1 -name "*.spool" | while read -r _spool; do "$programs/dump" --surveys "$_spool"; done | grep '"module": "reasoner"'; }
kept_of() { spool_of "$1" | while read -r _spool; do "$programs/dump" "$_spool"; done | grep -c fcntl; }
for level in process node system; do
    check "processes know: $level" sh -c 'echo "$1" | grep -F "\"level\": \"$2\""' sh "$(told)" $level
done
check "what it did last is kept" test "$(kept_of "$worker_a")" -gt 100
check "but not all that it did" test "$(kept_of "$worker_a")" -lt "$(stat -c %s a)"
check "that of its neighbours, too" test "$(kept_of "$worker_d")" -gt 100

# --- a storage target, which one process of each node uses

busy() { "$top_builddir/test/grounds/standin/standin-ost" "$scratch/lustre" "$@"; }
# write_there NODE OST NAME: a process of that node; its number is $writer_NAME
write_there()
{
    STANDIN=lustre:$scratch/lustre STANDIN_OSTS=3 STANDIN_TIME=latency:500 \
        ROMIO_AUTOTUNE_WATCH="reasoner:keep=256,collect:socket=$scratch/run$1/s,spool:dir=$own" \
        LD_PRELOAD="$library $top_builddir/test/grounds/standin/.libs/standin.so" \
        "$worker" write "$2" "$scratch/lustre/$3" &
    workers="$workers $!"
    eval "writer_$3=$!"
}

writers()
{
    rm -rf lustre
    mkdir lustre
    write_there 1 0 g
    write_there 1 1 h
    write_there 1 2 i
    write_there 2 0 j
    write_there 2 1 k
    write_there 2 2 l
}
alone() { python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["health"]["named"] == [int(sys.argv[2])]' "$@"; }
target()
{
    is 1 system "$writer_g" && alone health1.json "$writer_g" &&
        is 2 system "$writer_j" && alone health2.json "$writer_j"
}
check "one target is slow: a matter of the system, and of no other process" \
    provoke writers "busy busy 0 60" "busy idle 0" target
end_workers

# --- without a collector

mkdir alone quiet
ROMIO_AUTOTUNE_WATCH="reasoner,spool:dir=$scratch/alone" LD_PRELOAD="$library" "$worker" work "$scratch/g" &
alone=$!
pids="$pids $alone"
patiently sh -c 'test "$(stat -c %s g)" -gt 1500'
hold g
check "alone: a signal" patiently sh -c 'for s in "$1"/*.spool; do "$2" --surveys "$s"; done | grep -q "\"signal\": 1, \"level\": \"process\""' sh "$scratch/alone" "$programs/dump"
let_go
kill "$alone"
wait "$alone"
check "alone: with what it did last" sh -c '"$1" "$2"/*.spool | grep -q fcntl' sh "$programs/dump" "$scratch/alone"

# quiet: no signal, no activities; on a busy machine there may be one
timeout 2 env ROMIO_AUTOTUNE_WATCH="reasoner,spool:dir=$scratch/quiet" LD_PRELOAD="$library" "$worker" work "$scratch/h"
only_summaries()
{
    "$programs/dump" --surveys quiet/*.spool > quiet.told || return 1
    cat quiet.told
    _kept=$("$programs/dump" quiet/*.spool | grep -c fcntl)
    if grep -q '"signals": \[\]' quiet.told; then [ "$_kept" -eq 0 ]; else [ "$_kept" -gt 0 ]; fi
}
check "quiet: only summaries" only_summaries
done_testing
