#!/bin/sh
# autotune-probe and a Slurm of our own on this machine: its snapshot of jobs against squeue's
# JSON, its parts under srun, and a job that submits itself again; and the batch scripts.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/tools/probe.lib.sh"

for program in munged slurmctld slurmd squeue sbatch srun; do
    if ! command -v "$program" > /dev/null; then
        # quickstart --check installs what is needed
        if [ -n "${AUTOTUNE_COMPLETE-}" ]; then not_ok "Slurm: there is no $program"; else skip "Slurm" "no $program"; fi
        done_testing
        exit
    fi
done
if [ "$(id -u)" -ne 0 ]; then
    skip "Slurm" "only root can start one"
    done_testing
    exit
fi

# --- a Slurm with one node, its own ports, key and socket

ports=$(python3 -c '
import socket
held = [socket.socket() for _ in range(2)]
for one in held:
    one.bind(("", 0))
print(*(one.getsockname()[1] for one in held))')
host=$(hostname -s)
mkdir slurm slurm/state slurm/spool
chmod 755 "$scratch" slurm
dd if=/dev/urandom of=slurm/munge.key bs=1024 count=1 2> /dev/null
chmod 600 slurm/munge.key
cat > slurm/slurm.conf << END
ClusterName=probe
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=${ports% *}
SlurmdPort=${ports#* }
AuthType=auth/munge
AuthInfo=socket=$scratch/slurm/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=2,bf_interval=2
SlurmdParameters=config_overrides
StateSaveLocation=$scratch/slurm/state
SlurmdSpoolDir=$scratch/slurm/spool
SlurmctldPidFile=$scratch/slurm/slurmctld.pid
SlurmdPidFile=$scratch/slurm/slurmd.pid
SlurmctldLogFile=$scratch/slurm/slurmctld.log
SlurmdLogFile=$scratch/slurm/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=16 RealMemory=8000 State=UNKNOWN
PartitionName=batch Nodes=ALL Default=YES MaxTime=INFINITE State=UP
PartitionName=debug Nodes=ALL MaxTime=INFINITE State=UP
PartitionName=other Nodes=ALL MaxTime=INFINITE State=UP
END
export SLURM_CONF="$scratch/slurm/slurm.conf"

daemons=''
stop_slurm()
{
    scancel --user root > /dev/null 2>&1
    for _i in $(seq 25); do
        if [ -z "$(squeue --noheader 2> /dev/null)" ]; then break; fi
        sleep 0.2
    done
    # shellcheck disable=SC2086
    kill $daemons 2> /dev/null
    wait
}
trap 'stop_slurm; rm -rf "$scratch"' EXIT

munged --foreground --force --socket "$scratch/slurm/munge.socket" --key-file "$scratch/slurm/munge.key" \
    --pid-file "$scratch/slurm/munged.pid" --seed-file "$scratch/slurm/munged.seed" \
    --log-file "$scratch/slurm/munged.log" > slurm/munged.out 2>&1 &
daemons="$daemons $!"
within test -S slurm/munge.socket
slurmctld -D > slurm/slurmctld.out 2>&1 &
daemons="$daemons $!"
slurmd -D -N "$host" > slurm/slurmd.out 2>&1 &
daemons="$daemons $!"
idle()
{
    sinfo --noheader -p batch -o %T 2>&1 | grep -qx idle
}
if ! within idle; then
    sinfo > slurm/sinfo.out 2>&1
    tail -n 20 slurm/*.out slurm/*.log > why
    not_ok "Slurm starts" why
    done_testing
    exit
fi
ok "Slurm starts"

# --- jobs

# submits N OPTION...: N jobs that sleep
submits()
{
    _n=$1
    shift
    for _i in $(seq "$_n"); do
        sbatch --quiet --output /dev/null --wrap 'sleep 600' "$@" || return 1
    done
}
running()
{
    [ "$(squeue --noheader --states=RUNNING | wc -l)" -eq "$1" ]
}
submits_all()
{
    submits 3 --partition batch --time 60 --mem 100M && submits 2 --partition debug --time 10 --mem 1G &&
        submits 1 --partition other --time UNLIMITED --mem 10M --cpus-per-task 2 &&
        submits 2 --partition batch --time 60 --mem 100M --begin now+1hour
}
check "jobs are submitted" submits_all
check "six run, two wait" within running 6

# what squeue's own JSON says, by the same classes (Slurm 22.05: plain numbers; later: objects)
cat > expected.py << 'END'
import json, re, sys, time

def number(value):
    if isinstance(value, dict):
        return 0 if value.get("infinite") or not value.get("set", True) else value["number"]
    return value or 0

units = {"": 2**20, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
names = ("total batch debug extra_large large medium small extra_small new middle_aged old "
         "virtual_memory memory").split()
features = dict.fromkeys(names, 0)
for job in json.load(open(sys.argv[1]))["jobs"]:
    states = job["job_state"] if isinstance(job["job_state"], list) else [job["job_state"]]
    if "RUNNING" not in states:
        continue
    nodes = number(job["node_count"])
    used, limit = time.time() - number(job["start_time"]), 60 * number(job["time_limit"])
    limit = 0 if limit >= 60 * (2**32 - 2) else limit
    share = used / limit if limit else 0
    memory = re.search(r"(?:^|,)mem=([0-9.]+)([KMGT]?)", job["tres_alloc_str"])
    features["total"] += 1
    features["batch"] += job["partition"] == "batch"
    features["debug"] += job["partition"] == "debug"
    features["extra_large" if nodes >= 11250 else "large" if nodes >= 3750 else "medium"
             if nodes >= 313 else "small" if nodes >= 126 else "extra_small"] += 1
    features["new" if share < 1/3 else "middle_aged" if share < 2/3 else "old"] += 1
    for kind in ("virtual_memory", "memory"):
        features[kind] += float(memory[1]) * units[memory[2]]
for line in open(sys.argv[2]):
    said = json.loads(line)
    if said.get("kind") == "jobs":
        break
del said["time"], said["kind"]
print(features, said, sep="\n")
sys.exit(list(said) != names or said != features)
END
check "a snapshot" probes --once --jobs slurm
squeue --json > squeue.json
check "equals squeue's JSON" python3 expected.py squeue.json "traces/probe-$(hostname).jsonl"
check "of six jobs" has 1 jobs '"total": 6, "batch": 3, "debug": 2, .*"memory": 2472542208'
check "without being told which system" probes --once --jobs auto
check "it is Slurm's" has 1 jobs '"total": 6'
scancel --user root
check "jobs end" within sh -c '[ -z "$(squeue --noheader)" ]'
check "a snapshot of nothing" probes --once --jobs slurm
check "is zero" has 1 jobs '"total": 0, .*"memory": 0'

# --- parts

export STANDIN_OSTS=5
rm -rf traces
mkdir -p data traces
check "under srun" on_lustre srun --ntasks 2 --overcommit "$probe" --dir data --traces traces --once --jobs none
check "all targets are probed" has 5 probe
for part in 0of2 1of2; do
    check "by part $part" test -s "traces/probe-$(hostname)-$part.jsonl"
done

# --- a job that submits itself again

rm -rf traces
mkdir traces
cat > again.sh << END
#!/bin/sh
#SBATCH --time=5 --output=job.log --open-mode=append
echo "\$SLURM_JOB_ID \$1 \$2" >> runs
[ -e stop ] || exec "$probe" --dir data --traces traces --every 1s --truth none --nominal 1T \\
    --jobs none --for 4s --resubmit again.sh -- "\$@"
END
: > runs
check "a job" sbatch --quiet again.sh one 'two words'
ran_thrice()
{
    [ "$(wc -l < runs)" -ge 3 ]
}
check "submits itself, and its successor does" within ran_thrice
: > stop
check "with its arguments" sh -c '[ "$(cut -d" " -f2- runs | sort -u)" = "one two words" ]'
check "as jobs of their own" sh -c '[ "$(cut -d" " -f1 runs | sort -u | wc -l)" -ge 3 ]'
check "which the trace tells" has_some note 'submitted again.sh again, as job [0-9]'
check "each after the other" sh -c '! grep -i "there is a prober already" job.log'
check "they end" within sh -c '[ -z "$(squeue --noheader)" ]'

# not before its time is nearly over
rm -rf traces stop
mkdir traces
: > runs
sed -i 's/--resubmit again.sh/--resubmit-before 1min &/' again.sh
check "a job with time left" sbatch --quiet --wait again.sh
check "does not" sh -c '[ "$(wc -l < runs)" -eq 1 ] && [ -z "$(squeue --noheader)" ]'

# --- the batch script that is installed

rm -rf traces
mkdir -p bin
ln -sf "$probe" bin/autotune-probe
named()
{
    [ "$(squeue --noheader --states="$1" -o %j)" = autotune-probe ]
}
start_script()
{
    PATH=$scratch/bin:$PATH sbatch --quiet --time 3 "$top_srcdir/tools/slurm/probe.sbatch" data traces \
        --every 1s --truth none --nominal 1T --jobs slurm
}
check "probe.sbatch" start_script
check "runs" within named RUNNING
check "and has a successor" within named PENDING
check "it probes" within has_some probe
first=$(squeue --noheader --states=RUNNING -o %A)
scancel "$first"
takes_over()
{
    _now=$(squeue --noheader --states=RUNNING -o %A)
    [ -n "$_now" ] && [ "$_now" != "$first" ] && [ -e traces/probe.lock ]
}
check "which takes over" within takes_over
before=$(torn=1; lines probe)
again()
{
    _found=$(torn=1; lines probe)
    [ "$_found" -gt "$before" ]
}
check "and probes with the same options" within again
check "it counts itself" within has_some jobs '"total": 1, '
scancel --user root

# --- and the other one

calibrates()
{
    _tools=$top_builddir/tools
    PATH=$_tools/autotune:$_tools/calibrate:$(dirname "$MPIEXEC"):$PATH \
        sbatch --quiet --wait --nodes 1 --ntasks-per-node 2 --time 5 --output calibrate.log \
        "$top_srcdir/tools/slurm/calibrate.sbatch" calibration calibrated --budget 5s --cache 0 --max-memory 16M
    _rc=$?
    cat calibrate.log
    return $_rc
}
check "calibrate.sbatch" calibrates
check "makes a profile with what Slurm knows" sh -c 'grep -q "^typical jobs" calibrate.log && [ -s calibrated/profile.json ] &&
    grep -q "\"slurm\"" calibrated/points.json'
done_testing
