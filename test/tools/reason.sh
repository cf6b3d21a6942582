#!/bin/sh
# Reasoners: processes that are slowed down by locks that somebody holds or by a storage target, or
# that are stopped, are named at the right level.  Nothing depends on how fast the machine is: what is waited for comes
# once it has been quiet for a second.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/tools/collect.lib.sh"
. "$top_srcdir/test/tools/reason.lib.sh"

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
