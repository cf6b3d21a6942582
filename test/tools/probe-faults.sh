#!/bin/sh
# autotune-probe when things go wrong: targets that hang, go away, are full or read-only, a
# prober that is killed, two of them, a lock of a dead one, a clock that is set, a full disk
# below the traces, a batch system that hangs.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/tools/probe.lib.sh"
ost=$top_builddir/test/grounds/standin/standin-ost
faults=$top_builddir/test/tools/.libs/probe_faults.so

export STANDIN_OSTS=4
mkdir data
# often: probes all the time, on Lustre
often()
{
    on_lustre start --every 500ms --truth none --nominal 1T
}
fresh()
{
    rm -rf traces said data/.autotune-probe-*
    : > faults
}

# --- a target that hangs

export STANDIN_TIME=ost:400
on_lustre probes --once > /dev/null # makes the shared file
check "a target that hangs" on_lustre "$ost" data busy 3 1000000
check "does not stop the others" on_lustre probes --every 1s --truth none --nominal 1T --deadline 2s --for 6s
check "it is named" has_some error '"target": 3, "bytes": 1048576, "error": "ETIMEDOUT"'
check "and said once" test "$(grep -c 'target 3: Connection timed out' said)" -eq 1
check "it has no time" has 0 probe '"target": 3,'
others()
{
    for _target in 0 1 2; do
        [ "$(lines probe "\"target\": $_target,")" -ge 2 ] || return 1
    done
}
check "others go on" others
rm data/.standin-time
unset STANDIN_TIME

# --- targets that go away, come back, are inactive or degraded

export PROBE_FAULTS="$scratch/faults"
also_preload=$faults
fresh
often
check "it probes" within has_some probe '"target": 3,'
echo "ost 3 19" > faults
check "a target goes away" within has_some error '"target": 3, "bytes": 1048576, "error": "ENODEV"'
echo "ost 2 61" > faults
check "one becomes inactive" within has_some target '"target": 2, .*"inactive": true'
echo "state 1 5" > faults
check "one is degraded and takes no files" within has_some target '"target": 1, .*"degraded": true, .*"no_create": true'
: > faults
check "they come back" within grep -q "target 3 answers again" said
check "and are as before" within has_some target '"target": 2, .*"inactive": false'

# --- full, read-only

echo "write 28" > faults
check "a full target" within has_some error '"target": 0, .*"error": "ENOSPC"'
echo "write 30" > faults
check "a read-only one" within has_some error '"target": 0, .*"error": "EROFS"'
: > faults
check "later it is not" within grep -q "target 0 answers again" said

# --- the clock

echo "clock 7200" > faults
check "the clock is set" within has_some note 'the clock was set by \+7200'
: > faults
check "and back" within has_some note 'the clock was set by -7200'
sleep 1
check "it goes on" within grep -q "clock was set by -" said
check "SIGTERM ends it" ended "$prober"
check "and it leaves nothing" nothing_left
check "not even its lock" [ ! -e traces/probe.lock ]

# --- killed

fresh
often
check "it probes" within has_some probe '"target": 3,'
check "there are files" sh -c '[ "$(find data -name ".autotune-probe-*" | wc -l)" -eq 4 ]'
kill -KILL "$prober"
wait "$prober" 2> /dev/null
torn=1
check "SIGKILL leaves a trace that can be read" has_some probe
check "and, soon, no files" within nothing_left
check "a lock stays" [ -e traces/probe.lock ]
torn=0
before=$(lines probe)
printf '{"time":17' >> "traces/probe-$(hostname).jsonl"
more()
{
    _found=$(lines probe)
    [ "$_found" -gt "$before" ]
}
check "the next one takes over at once, and goes on after the last whole line" on_lustre \
    timeout 30 "$probe" --dir data --traces traces --jobs none --once --silence 1h
check "in the same trace" more
check "left-over files are replaced" sh -c 'echo old > data/.autotune-probe-0001'
check "and removed" on_lustre probes --once

# --- two probers

fresh
often
first=$prober
check "one probes" within has_some probe
check "the second, in no mood to wait" on_lustre ends 1 "there is a prober already, process $first on $(hostname)" \
    "$probe" --dir data --traces traces --jobs none --once --no-wait
mv said said.first
often
second=$prober
check "another waits" within grep -q "process $first on $(hostname); waiting for its end" said
check "the first ends" ended "$first"
check "the second probes" within sh -c "grep -q '\"process\": $second,' traces/probe.lock"
check "and ends" ended "$second"
check "nothing is left" nothing_left

# --- one that was stopped for longer than it may be silent

fresh
on_lustre start --every 500ms --truth none --nominal 1T --silence 3s
first=$prober
check "one probes" within has_some probe
kill -STOP "$first"
on_lustre start --every 500ms --truth none --nominal 1T --silence 3s
second=$prober
check "another takes over from one that is stopped" within grep -q "\"process\": $second," traces/probe.lock
kill -CONT "$first"
check "which sees that" within grep -q "another prober has taken over" said
check "and waits" within grep -q "process $second on $(hostname); waiting for its end" said
check "both end" ended "$first"
check "both" ended "$second"
check "nothing is left" nothing_left

# --- a lock of another machine's

fresh
mkdir traces
echo '{"host": "far", "process": 1, "machine": "another", "beat": 3}' > traces/probe.lock
check "a lock of a silent one" on_lustre ends 0 "process 1 on far; waiting" timeout 60 \
    "$probe" --dir data --traces traces --jobs none --once --silence 2s
check "is taken" has 4 probe

# --- a hanging squeue

fresh
mkdir -p bin
printf '#!/bin/sh\nexec sleep 1000\n' > bin/squeue
chmod +x bin/squeue
path=$PATH PATH=$scratch/bin:$PATH
check "a squeue that hangs" on_lustre probes --every 1s --truth none --nominal 1T --for 3s --jobs slurm
PATH=$path
check "does not keep it from probing" has_some probe '"target": 3,'

# --- a full disk below the traces

also_preload=''
fresh
cat > full.sh << 'END'
set -e
mkdir -p traces
mount -t tmpfs -o size=32k none traces
"$1" --dir data --traces traces --jobs none --every 200ms --truth none --nominal 1T > said 2>&1 &
prober=$!
for i in $(seq 100); do sleep 0.2; grep -q probe\" traces/*.jsonl && break; done
cat /dev/zero > traces/fill 2> /dev/null || true
for i in $(seq 150); do sleep 0.2; grep -q "measurements are lost" said && break; done
sleep 1
before=$(grep -c "can be written again" said || true) # a short line may still have found room
rm traces/fill
for i in $(seq 150); do sleep 0.2; [ "$(grep -c "can be written again" said)" -eq "$before" ] || break; done
kill $prober
wait $prober
cat traces/*.jsonl > kept
END
# A frozen file system holds writers in a sleep that no signal ends.
cat > frozen.sh << 'END'
mkdir -p disk traces
truncate -s 64M image
mkfs.ext4 -q image
mount -o loop image disk || exit 77
"$1" --dir disk --traces traces --jobs none --every 1s --truth none --nominal 1T --deadline 1s > said 2>&1 &
prober=$!
for i in $(seq 100); do sleep 0.2; grep -q probe\" traces/*.jsonl && break; done
if ! fsfreeze -f disk; then
    kill $prober
    wait $prober
    exit 77
fi
for i in $(seq 150); do
    sleep 0.2
    [ "$(grep -c ETIMEDOUT traces/*.jsonl)" -ge 3 ] && break
done
ps -o stat= --ppid $prober > states
kill $prober
wait $prober
echo $? > code
fsfreeze -u disk
for i in $(seq 100); do umount disk 2> /dev/null && break; sleep 0.2; done
END
if unshare -m sh frozen.sh "$probe"; then
    check "a worker that cannot be killed" grep -q D states
    check "does not keep the prober from saying so" test "$(grep -c 'target 0: Connection timed out' said)" -eq 1
    check "again and again" sh -c '[ "$(grep -c ETIMEDOUT traces/*.jsonl)" -ge 3 ]'
    check "nor from ending" test "$(cat code)" -eq 0
else
    skip "a worker that cannot be killed" "no file system to freeze"
fi
fresh

if unshare -m true 2> /dev/null; then
    check "a full disk below the traces" on_lustre unshare -m sh full.sh "$probe"
    check "is said once each time" test "$(grep -c 'No space left on device; measurements are lost' said)" \
        -eq "$(grep -c 'can be written again' said)"
    check "and what was lost" grep -q "can be written again; [0-9]* lines were lost" said
    check "also in the trace" grep -q "lines before this one were lost" kept
    check "in which all lines are whole" python3 -c 'import json; [json.loads(l) for l in open("kept")]'
else
    skip "a full disk below the traces" "no mount namespaces"
fi
done_testing
