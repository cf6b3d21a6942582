#!/bin/sh
# Clusters in namespaces come up, run MPI programs over a shared volume, and go
# without leaving anything, also when starting them was cut off.
. "${top_srcdir:?}/test/lib.sh"

cluster=$top_srcdir/test/grounds/cluster/cluster
export CLUSTER_DIR="$scratch/cluster"
volume=$CLUSTER_DIR/volume
trap '"$cluster" down; rm -rf "$scratch"' EXIT

# refuses CODE TEXT ARGUMENT...
refuses()
{
    _code=$1 _text=$2
    shift 2
    "$cluster" "$@" > "$scratch/said" 2>&1
    _rc=$?
    cat "$scratch/said"
    [ $_rc -eq "$_code" ] && grep -qF -e "$_text" "$scratch/said"
}

# What of a cluster could be seen from outside of it
outside()
{
    ip -o link
    ip netns list
    cut -d ' ' -f 5 /proc/self/mountinfo
}

# nothing_left NAMESPACE: no process is in that PID namespace, nothing of the
# state is there, and the outside is as it was
nothing_left()
{
    for _entry in /proc/[0-9]*; do
        [ "$(readlink "$_entry/ns/pid")" != "$1" ] || { ls -l "$_entry/exe"; return 1; }
    done
    [ ! -e "$CLUSTER_DIR" ] || { ls -lR "$CLUSTER_DIR"; return 1; }
    outside | diff "$scratch/outside" -
}

# down WHAT: ends the cluster, two tests
down()
{
    _namespace=$(cut -d ' ' -f 3 "$CLUSTER_DIR/init")
    check "$1: down" "$cluster" down
    check "$1: nothing is left" nothing_left "${_namespace:?}"
}

# takes_at_least MS COMMAND...
takes_at_least()
{
    _least=$1 _start=$(date +%s%N)
    shift
    "$@" || return 1
    _took=$((($(date +%s%N) - _start) / 1000000))
    echo "took $_took ms, at least $_least expected"
    [ $_took -ge "$_least" ]
}

check "--help" "$cluster" --help
check "unknown key" refuses 2 "wheels:4: unknown" up nodes:2 servers:1 wheels:4
check "unequal psets" refuses 2 "3 nodes cannot be 2 equal psets" up nodes:3 servers:1 psets:2
check "bridges without psets" refuses 2 "bridge-rate without psets" up nodes:2 servers:1 bridge-rate:1gbit
check "racks without psets" refuses 2 "rack-rate without psets" up nodes:2 servers:1 rack-rate:1gbit
check "not a rate" refuses 2 "node-rate:fast: not a rate" up nodes:2 servers:1 node-rate:fast
check "run without a cluster" refuses 1 "is not up" run -n 1 true
check "status without a cluster" refuses 1 "not up" status

outside > "$scratch/outside" 2> /dev/null
flat="nodes:2 servers:2 node-rate:400mbit server-rate:200mbit ranks:2"
"$cluster" up "$flat" 2> "$scratch/reason"
rc=$?
if [ $rc -eq 77 ]; then
    skip "clusters" "$(tail -n 1 "$scratch/reason")"
    done_testing
    exit
fi
check "flat: up" [ $rc -eq 0 ]
[ $rc -eq 0 ] || { sed 's/^/# /' "$scratch/reason"; done_testing; exit; }
check "flat: status" "$cluster" status
check "flat: not twice" refuses 1 "is up already" up "$flat"
check_tap "flat" timeout -k 5 $watchdog "$cluster" run "$top_builddir/test/grounds/cluster/shared" "$volume" 2
check "the command's exit status" refuses 3 said run -n 1 sh -c 'echo said; exit 3'
down flat

psets="psets:2 nodes:4 servers:4 node-rate:400mbit bridge-rate:80mbit server-rate:100mbit ranks:2"
check "psets: up" "$cluster" up "$psets"
check "psets: topology" "$top_builddir/tools/autotune/autotune" place \
    --topology "$CLUSTER_DIR/topology.json" --hosts 'n[0-3]' --ranks-per-node 2 --aggregators 2
check_tap "psets" timeout -k 5 $watchdog "$cluster" run "$top_builddir/test/grounds/cluster/shared" "$volume" 4
# 4 MiB at 80 mbit are 420 ms
check "psets: the bridge's rate holds" takes_at_least 350 "$cluster" run -n 1 \
    dd if=/dev/zero of="$volume/zeros" bs=1M count=4
down psets

racks="psets:2 nodes:4 servers:2 node-rate:400mbit rack-rate:40mbit ranks:1"
check "racks: up" "$cluster" up "$racks"
# 4 MiB at 40 mbit are 840 ms, in one rack 84
check "racks: the rate between them holds" takes_at_least 700 "$cluster" run \
    "$top_builddir/test/grounds/cluster/across" 0 3
down racks

# One node only: see the limits in README.md.
check "one node: up" "$cluster" up nodes:1 servers:2 ranks:8
check "one node: directory" "$cluster" run -n 1 mkdir "$volume/ufs"
check_tap "one node: random" timeout -k 5 $watchdog "$cluster" run -n 8 \
    "$top_builddir/test/driver/random/random" --directory "$volume" --fs ufs --seed 22 --cases 30
down "one node"

"$cluster" up "$psets" > /dev/null 2>&1 &
starting=$!
tries=100
until [ -e "$CLUSTER_DIR/init" ] || [ $tries -eq 0 ]; do
    tries=$((tries - 1))
    sleep 0.05
done
kill -KILL $starting
wait $starting 2> /dev/null
down "cut off"

# A process with the number that is in the file, but not the one that wrote it
mkdir -p "$CLUSTER_DIR"
sleep 60 &
other=$!
echo "$other 1 $(readlink /proc/self/ns/pid)" > "$CLUSTER_DIR/init"
check "stale state: down" "$cluster" down
check "stale state: other processes go on" kill -0 $other
kill $other

done_testing
