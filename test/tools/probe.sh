#!/bin/sh
# autotune-probe: what it writes, where, when, and what it refuses.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/tools/probe.lib.sh"
status=$top_builddir/test/grounds/standin/standin-ost

version=$(sed -n "s/^AC_INIT(\\[romio-autotune\\], \\[\\(.*\\)\\])$/\\1/p" "$top_srcdir/configure.ac")
check "--version" test "$("$probe" --version)" = "autotune-probe (romio-autotune) $version"
"$probe" --help > help
check "--help" grep -q -e '--truth-every TIME' help
in_page()
{
    sed -n 's/^  --\([a-z-]*\).*/\1/p' help | sed 's/-/\\\\-/g' | while read -r _name; do
        echo "$_name"
        grep -qe "^\.BI\{0,1\} .*-$_name" "$top_srcdir/doc/autotune-probe.1" || exit 1
    done
}
check "every option is in the man page" in_page
check "no directory" ends 2 "--dir and --traces are needed" "$probe"
check "a time that is none" ends 2 "--every often: is not a time" "$probe" --every often
check "sizes that are none" ends 2 "--truth 1M,x: is not a list" "$probe" --truth 1M,x
check "a size for O_DIRECT" ends 2 "must be a multiple of 4096" "$probe" --dir . --traces . --bytes 1000
check "a part that is none" ends 2 "--part 3/2: is not a part" "$probe" --part 3/2
check "a word too much" ends 2 "what is now?" "$probe" --dir . --traces . now
check "no job to submit again" ends 2 "this is no Slurm job" "$probe" --dir . --traces . --resubmit x
check "a directory that is not there" ends 1 "none: No such file" "$probe" --dir none --traces . --once
check "and no lock stays" [ ! -e probe.lock ]
check "no directory for traces" ends 1 "none/probe.lock" "$probe" --dir . --traces none --once

# --- a file system without targets is one

check "once" probes --once
check "one probe" has 1 probe '"target": 0, "bytes": 1048576'
check "one state" has 1 target '"full"'
check "of the mount" grep -q "\"path\":\"$(df --output=target data | tail -n 1)\"" "traces/probe-$(hostname).jsonl"
check "or of what is said" probes --once --path /scratch
check "as it is" grep -q '"path":"/scratch","driver":"ufs"' "traces/probe-$(hostname).jsonl"
check "of 64 KiB" probes --once --bytes 64K
check "that many" has 1 probe '"bytes": 65536'

# --- Lustre: every OST gets its own, and nothing else does

export STANDIN_OSTS=6 STANDIN_TIME=ost:400,latency:100
check "once on Lustre" on_lustre probes --once
check "a probe of each target" has 6 probe '"bytes": 1048576'
for ost in 0 5; do
    check "target $ost" has 1 probe "\"target\": $ost,"
done
each_got()
{
    "$status" data status > got
    cat got
    [ "$(awk -v bytes="$1" '$1 ~ /^[0-9]+$/ && $4 == bytes' got | wc -l)" -eq 6 ]
}
check "each OST has got a megabyte" each_got 1048576

check "for a while" on_lustre probes --every 1s --truth 2M,4M --truth-every 2s --for 6s --nominal 100G
check "probes" has_some probe '"target": 5,'
check "truth writes" has_some truth '"bytes": 4194304'
check "an end that is said" grep -q "6 targets, .* probes, .* truth writes, in traces/probe-" said
check "without a stretch" has 0 note "periods x [2-9]"

check "a budget" on_lustre probes --every 1s --truth none --for 3s --budget 262144
check "stretches, and says so" grep -q "for a budget of 262 kB/s on each target there is a probe every 4 s, not every 1 s" said
# measured: a slow machine may need more time
measured()
{
    for _time in 8s 50s; do
        probes --every 1s --truth none --for $_time || return 1
        ! has 6 truth '"bytes": 67108864' || return 0
    done
    return 1
}
check "a budget that is measured, by one write on each target" on_lustre measured
check "is in the trace" has 1 note "budget"

first_part() { on_lustre probes --once --part 0/4; }
check "a part of four" first_part
check "has two of six" sh -c 'test "$(grep -c \"probe\" traces/*-0of4.jsonl)" -eq 2'
check "the last one" on_lustre env PMI_RANK=3 PMI_SIZE=4 "$probe" --dir data --traces traces --jobs none --once
check "has one of six" sh -c 'test "$(grep -c \"probe\" traces/*-3of4.jsonl)" -eq 1'
unset STANDIN_TIME

# --- jobs, of commands that print what they are told to

mkdir bin
cat > bin/squeue << 'END'
#!/bin/sh
echo "$*" > squeue.asked
cat << 'OUT'
batch 128 1:00 1:00:00 cpu=128,mem=1G,node=128
debug 1 50:00 1:00:00 mem=512M
OUT
END
cat > bin/qstat << 'END'
#!/bin/sh
printf 'Job Id: 1.s\n    job_state = R\n    queue = small\n    Resource_List.nodect = 9\n'
END
chmod +x bin/squeue bin/qstat
path=$PATH
PATH=$scratch/bin:$path
check "jobs of Slurm" probes --once --jobs slurm
check "squeue is asked for running jobs" grep -q -e "--states=RUNNING" squeue.asked
check "a snapshot" has 1 jobs '"total": 2, "batch": 1, "debug": 1, "extra_large": 0, "large": 0, "medium": 0, "small": 1, "extra_small": 1, "new": 1, "middle_aged": 0, "old": 1, "virtual_memory": 1610612736, "memory": 1610612736'
check "Slurm comes first" probes --once --jobs auto
check "is asked" has 1 jobs '"total": 2'
echo '{"format": "romio-autotune-site", "version": 1, "batch": ["small"], "debug": [],
    "nodes": {"extra_large": 64, "large": 32, "medium": 8, "small": 2}}' > site.json
check "jobs of PBS, a site's classes" probes --once --jobs pbs --site site.json
check "a snapshot" has 1 jobs '"total": 1, "batch": 1, "debug": 0, "extra_large": 0, "large": 0, "medium": 1'
echo '{"format": "romio-autotune-site", "version": 1}' > bad.json
check "a site file that is none" ends 1 "bad.json: batch:" "$probe" --dir data --traces traces --site bad.json
printf '#!/bin/sh\nexit 3\n' > bin/squeue
check "a squeue that fails" probes --once --jobs slurm
check "is said" grep -q "jobs are not known: squeue ended with exit code 3" said
printf '#!/bin/sh\necho batch many\n' > bin/squeue
check "a squeue that makes no sense" probes --once --jobs slurm
check "is said" grep -q "squeue: line 1: has fewer than 4 columns" said
check "the default site is that of the source" sh -c "grep -q '\"extra_large\": 11250' '$top_srcdir/site/probe/site.json'"
check "it is valid" probes --once --site "$top_srcdir/site/probe/site.json"

if command -v systemd-analyze > /dev/null; then
    check "the unit is valid" systemd-analyze verify --man=no "$top_srcdir/site/probe/autotune-probe.service"
else
    skip "the unit is valid" "no systemd-analyze"
fi

# --- passive sources: what the client has counted stands for probes

cat > bin/lctl << 'END'
#!/bin/sh
n=$(cat counter 2> /dev/null || echo 0)
echo $((n + 100)) > counter
echo "osc.standin-OST0001-osc-ffff8881.stats="
echo "req_waittime              $n samples [usecs] 50 30000 $((n * 2000)) 123456789"
echo "osc.other-OST0002-osc-ffff8881.stats="
echo "req_waittime              $n samples [usecs] 50 30000 $((n * 2000)) 123456789"
END
chmod +x bin/lctl
check "passive sources" on_lustre probes --every 1s --truth none --for 8s --nominal 100G
check "tell of a target" has_some service '"target": 1, "samples": 100, "seconds": 0.002'
check "and of no other file system's" has 0 service '"target": 2,'
check "which is probed less" grep -q ' passive, [0-9]* left out' said
check "or not" on_lustre probes --every 1s --truth none --for 8s --nominal 100G --active always
check "as often" sh -c '! grep "left out" said'
rm bin/lctl

osc=root/proc/fs/lustre/osc/standin-OST0004-osc-ffff8881
mkdir -p "$osc" root/sys/fs/lustre/osc/standin-OST0004-osc-ffff8881
tree()
{
    (
        for n in 1 2 3 4 5 6; do
            echo "req_waittime $((n * 50)) samples [usec] 1 1 $((n * 50 * 3000)) 1" > "$osc/stats"
            sleep 1
        done
    ) &
    export AUTOTUNE_PROBE_ROOT="$scratch/root"
    on_lustre probes --every 1s --truth none --for 6s --nominal 100G
    set -- $?
    unset AUTOTUNE_PROBE_ROOT
    wait
    return "$1"
}
check "files of /proc" tree
check "tell the same" has_some service '"target": 4,.*"seconds": 0.003'
PATH=$path
done_testing
