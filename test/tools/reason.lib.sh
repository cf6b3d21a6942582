# Sourced by what watches reasoners, after test/lib.sh and collect.lib.sh: two nodes with processes that
# can be slowed down.
# shellcheck shell=sh disable=SC2034,SC2154 # what sources it uses and sets these

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
