#!/bin/sh
# Signals of reasoners: none without a reason, and how soon they come with one; make bench-alarms
#     alarms.sh [SECONDS [TIMES]]
# Two nodes have six processes each: three lock files, three write to a target of the stand-in for Lustre
# each.  First nothing is done to them for SECONDS (3600).  Then, TIMES (10) in turn and with three new
# processes on each node, one process is slowed down (by locks, to 20 ms a call), or stopped, or all of a
# node, or one target (to 30 ms a request).  Told are the looks of a node (one in 100 ms) from that moment
# until both nodes say the right level; a level that is not right is told as well.
# Exit code: 0 no signal without a reason, and the right level each time; 1 not so.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/tools/collect.lib.sh"
. "$top_srcdir/test/tools/reason.lib.sh"

undisturbed=${1:-3600} times=${2:-10}

ask() { "$collect" --show --json --socket "$scratch/run$1/s" | sed 's/.*"health"://'; }
number() { sed -n "s/^[^[]*\"$1\":\([0-9]*\).*/\1/p"; }
level() { sed -n 's/^{"level":"\([a-z]*\)".*/\1/p'; }
signals() { ask "$1" | grep -o '"began"' | wc -l; }

# await_levels NODE1'S NODE2'S: how often node 1 looked until they are so; "missed" after some 10 s
await_levels()
{
    _from=$(ask 1 | number cycles)
    for _ in $(seq 200); do
        ask 1 > now
        _one=$(level < now) _two=$(ask 2 | level)
        if [ "$_one" = "$1" ] && [ "$_two" = "$2" ]; then
            echo $(($(number cycles < now) - _from))
            return
        fi
        for _say in "$_one" "$_two"; do
            case $_say in none | "$1" | "$2") ;; *) echo "$_say" >> wrong ;; esac
        done
        sleep 0.02
    done
    echo missed
}

# try NAME WORKERS SLOWER FASTER NODE1'S NODE2'S
try()
{
    $2
    patiently are 3 > said 2>&1 || exit 2
    sleep 5
    $3
    printf '%s\t%s\n' "$1" "$(await_levels "$5" "$6")" >> tries
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
while [ $((now - from)) -lt "$undisturbed" ]; do
    sleep $((undisturbed - (now - from) < 60 ? undisturbed - (now - from) : 60))
    now=$(date +%s)
    echo "undisturbed: $((now - from)) of $undisturbed s, $(signals 1) and $(signals 2) signals" >&2
done
false_alarms=$(($(signals 1) + $(signals 2)))
printf '%d signals in %d s of undisturbed load on two nodes with six processes each%s\n' "$false_alarms" "$undisturbed" \
    "$([ "$false_alarms" -eq 0 ] || echo ": MISSED")"
end_workers > said 2>&1

for time in $(seq "$times"); do
    try process lockers "hold a" let_go process none
    try stopped lockers stop_one let_one_go none process
    try node lockers "hold a b c" let_go node none
    try target writers "busy busy 0 60" "busy idle 0" system system
    echo "slowed down: $time of $times" >&2
done
sort -s -t '	' -k 1,1 tries | awk -F '\t' '
    function tell(    i, j, swap) {
        for (i = 2; i <= count; i++)
            for (j = i; j > 1 && looks[j] < looks[j - 1]; j--) { swap = looks[j]; looks[j] = looks[j - 1]; looks[j - 1] = swap }
        printf "%-8s %d of %d times named", name, count, count + missed
        if (count > 0) printf ", after %d looks (%d to %d)", looks[int((count + 1) / 2)], looks[1], looks[count]
        print (missed > 0 ? ": MISSED" : "")
        bad += missed
        count = missed = 0
    }
    NR > 1 && $1 != name { tell() }
    { name = $1; if ($2 == "missed") missed++; else looks[++count] = $2 + 0 }
    END { tell(); exit bad > 0 }'
status=$?
if [ -s wrong ]; then sort wrong | uniq -c | sed 's/^/for a moment, instead: /'; fi
[ "$status" -eq 0 ] && [ "$false_alarms" -eq 0 ]
