#!/bin/sh
# The stand-in's Lustre with time: rates, latencies, locks, busy OSTs, and nodes
# that have names.

. "$top_srcdir/test/lib.sh"

built=$(cd "$top_builddir/test/grounds/standin" && pwd) || exit 99  # programs change directory
ost=$built/standin-ost
tree=$scratch/lustre
mkdir "$tree" || exit 99

# timed SETTINGS COMMAND...: with $tree shown as Lustre
timed()
{
    _settings=$1
    shift
    env STANDIN="lustre:$tree" STANDIN_OSTS=4 STANDIN_LAYOUT=1:1048576 STANDIN_TIME="$_settings" \
        CMOCKA_MESSAGE_OUTPUT=TAP LD_PRELOAD="$built/.libs/standin.so" "$@"
}

# fails CODE TEXT COMMAND...: ends with that code and says so
fails()
{
    _code=$1 _text=$2
    shift 2
    "$@" > "$scratch/out" 2>&1
    [ $? -eq "$_code" ] && grep -q -- "$_text" "$scratch/out"
}

# --- the command, before anything ran

check "standin-ost: help" sh -c "'$ost' --help | grep -q 'busy OST FACTOR'"
check "standin-ost: no command" fails 2 "DIR and a command" "$ost" "$tree"
check "standin-ost: nothing ran" fails 1 "no job with STANDIN_TIME" "$ost" "$tree" status

check "study: help" sh -c "'$top_srcdir/study/standin/study' --help | grep -q -- --repetitions"
check "study: an option is missing" fails 2 required "$top_srcdir/study/standin/study" --out x

check "study of bursts: help" sh -c "'$top_srcdir/study/burst/study' --help | grep -q -- --ground"
check "study of bursts: no such ground" fails 2 "invalid choice" "$top_srcdir/study/burst/study" --ground tape

# --- no settings, no time

STANDIN=lustre:$tree LD_PRELOAD="$built/.libs/standin.so" sh -c "echo x > '$tree/plain'"
check "without settings no file is shared" test ! -e "$tree/.standin-time"
rm "$tree/plain"

# --- locks, then time itself

check_tap locks env CMOCKA_MESSAGE_OUTPUT=TAP "$built/test_locks"
check_tap time timed ost:20,latency:10000,lock:50000 timeout -k 5 "$watchdog" "$built/test_time" "$tree"

# --- the command, after it

check "standin-ost: status has all OSTs" sh -c "[ \$('$ost' '$tree' status | grep -c '^ *[0-3] ') -eq 4 ]"
check "standin-ost: busy" "$ost" "$tree" busy 2 4.5
check "standin-ost: the load is shown" sh -c "'$ost' '$tree' status | grep -q '^ *2 *4.500'"
check "standin-ost: idle" sh -c "'$ost' '$tree' idle 2 && '$ost' '$tree' status | grep -q '^ *2 *1.000'"
check "standin-ost: reset" sh -c "'$ost' '$tree' reset && '$ost' '$tree' status | grep -q '^ *1 *1.000 *0 *0 *0 '"
check "standin-ost: no such OST" fails 2 "no such OST" "$ost" "$tree" busy 4 2
check "standin-ost: no such factor" fails 2 "FACTOR" "$ost" "$tree" busy 3 x
check "standin-ost: no such command" fails 2 "try --help" "$ost" "$tree" sleep

# --- ROMIO on it, on nodes with names

# wrote OPTION...: a collective write of 8 MiB by 8 ranks of 4 nodes
wrote()
{
    timed ost:200,latency:100,lock:100,node:400 timeout -k 5 "$watchdog" "$MPIEXEC" -n 8 \
        "$top_srcdir/test/grounds/standin/on-nodes" 4 "$top_builddir/study/workloads/pattern" \
        --pattern strided --bytes 1M --block 16K --hint striping_factor=4 \
        --hint striping_unit=65536 "$@" "lustre:$tree/file" < /dev/null > "$scratch/json"
}
# total COLUMN NUMBER: the sum over the OSTs
total()
{
    _sum=$("$ost" "$tree" status | awk -v c="$1" '$1 ~ /^[0-9]+$/ { sum += $c } END { print sum + 0 }')
    echo "$_sum"
    [ "$_sum" = "$2" ]
}

check "bytes are right" wrote --verify --json
check "every node has an aggregator" grep -q '"cb_nodes":"4".*"romio_aggregator_list":"0 2 4 6 "' "$scratch/json"
"$ost" "$tree" reset
check "a writer for each stripe" wrote
check "writes every byte" total 4 8388608
check "in a request for each stripe" total 3 128
check "under one lock for each object" total 6 4
check "that nobody takes away" total 7 0
check "through the links of four nodes" \
    sh -c "[ \$('$ost' '$tree' status | grep -c '^node n[0-3] 2097152$') -eq 4 ]"
"$ost" "$tree" reset
check "two writers for each stripe" wrote --hint cb_nodes=8 --hint "cb_config_list=*:*" --hint romio_lustre_co_ratio=2
check "need as many requests" total 3 128
check "and take each other's locks" sh -c "[ \$('$ost' '$tree' status | awk '\$1 ~ /^[0-9]+\$/ { n += \$7 } END { print n }') -gt 4 ]"
done_testing
