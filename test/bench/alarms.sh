#!/bin/sh
# Signals of reasoners: none without a reason, and how soon they come with one; make bench-alarms
#     alarms.sh [SECONDS [TIMES]]
# Two nodes have six processes each: three lock files, three write to a target of the stand-in for Lustre
# each.  First nothing is done to them for SECONDS (3600).  Then, TIMES (10) in turn and with three new
# processes on each node, one process is slowed down (by locks, to 20 ms a call), or stopped, or all of a
# node, or one target (to 20 ms a call of the two that use it).  Told is the time from then until each node that
# it concerns has a signal of the right level; and what was said before that, if anything.
# Exit code: 0 no signal without a reason, and the right level each time; 1 not so.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/tools/collect.lib.sh"
. "$top_srcdir/test/tools/reason.lib.sh"

undisturbed=${1:-3600} times=${2:-10}

ask() { "$collect" --show --json --socket "$scratch/run$1/s"; }
# of_health EXPRESSION: of "health", which is h in it, in what is read
of_health() { python3 -c 'import json, sys; h = json.load(sys.stdin)["health"]; print(eval(sys.argv[1]))' "$1"; }
# seconds for which the host has kept processors from this virtual machine since it was started
stolen() { awk -v tick="$(getconf CLK_TCK)" '$1 == "cpu" { print $9 / tick }' /proc/stat; }
# of which a node remembers the last 16
signals() { ask "$1" | of_health 'len(h["signals"])'; }
# what was said so far of signals, by both nodes, which say ten things a minute at most
said_levels() { sed -n 's/.*signal \(begins\|is of another level\): level \([a-z]*\),.*/\2/p' complaints1 complaints2; }

# reached NODE LEVEL FROM: ms from then until its signal had this level; nothing: it has not
reached()
{
    if [ "$2" = none ]; then echo 0; return; fi
    ask "$1" | of_health "round(1000 * (h['signals'][-1]['since'] - $3)) if h['level'] == '$2' else ''"
}

# await_levels NODE1'S NODE2'S FROM: ms until it is so on both; "missed" after some 10 s
await_levels()
{
    for _ in $(seq 100); do
        _one=$(reached 1 "$1" "$3") _two=$(reached 2 "$2" "$3")
        if [ -n "$_one" ] && [ -n "$_two" ]; then
            echo $((_one > _two ? _one : _two))
            return
        fi
        sleep 0.02
    done
    echo missed
}

# try NAME WORKERS SLOWER FASTER NODE1'S NODE2'S
try()
{
    $2
    patiently are 3 > said 2>&1 || exit 2
    sleep 10
    said_levels > before
    ask 1 > from # of this machine, as the other node is
    $3
    printf '%s\t%s\n' "$1" "$(await_levels "$5" "$6" "$(of_health 'h["now"]' < from)")" >> tries
    said_levels | sort > after
    sort before | comm -13 - after | grep -v -x -e "$5" -e "$6" | sed "s/^/$1: /" >> wrong
    $4
    end_workers > said 2>&1
}

stop_one() { kill -STOP "$worker_e"; }
let_one_go() { kill -CONT "$worker_e"; }

node 1 > said 2>&1 && node 2 > said 2>&1 || exit 2
lockers
writers
patiently are 6 > said 2>&1 || exit 2
from=$(date +%s)
now=$from
stolen_before=$(stolen)
while [ $((now - from)) -lt "$undisturbed" ]; do
    sleep $((undisturbed - (now - from) < 60 ? undisturbed - (now - from) : 60))
    now=$(date +%s)
    echo "undisturbed: $((now - from)) of $undisturbed s, $(signals 1) and $(signals 2) signals; stolen: $(stolen) s" >&2
done
false_alarms=$(($(signals 1) + $(signals 2)))
printf '%d signals in %d s of undisturbed load on two nodes with six processes each%s\n' "$false_alarms" "$undisturbed" \
    "$([ "$false_alarms" -eq 0 ] || echo ": MISSED")"
awk -v before="$stolen_before" -v after="$(stolen)" \
    'BEGIN { printf "the host kept processors from this machine for %.1f s of these\n", after - before }'
end_workers > said 2>&1

for time in $(seq "$times"); do
    try process lockers "hold a" let_go process none
    try stopped lockers stop_one let_one_go none process
    try node lockers "hold a b c" let_go node none
    try target writers "busy busy 0 20" "busy idle 0" system system
    echo "slowed down: $time of $times" >&2
done
sort -t '	' -k 1,1 -k 2,2n tries | awk -F '\t' -v soon=$((2 * 100)) '
    function tell() {
        printf "%-8s %d of %d times named", name, count, count + missed
        if (count > 0)
            printf ", after %d ms (%d to %d), %d times within %d ms (two polls)", ms[int((count + 1) / 2)], ms[1],
                ms[count], within, soon
        print (missed > 0 ? ": MISSED" : "")
        bad += missed
        count = missed = within = 0
    }
    NR > 1 && $1 != name { tell() }
    { name = $1; if ($2 == "missed") missed++; else { ms[++count] = $2 + 0; within += $2 <= soon } }
    END { tell(); exit bad > 0 }'
status=$?
if [ -s wrong ]; then sort wrong | uniq -c | sed 's/^/said for a moment: /'; fi
[ "$status" -eq 0 ] && [ "$false_alarms" -eq 0 ]
