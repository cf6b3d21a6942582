#!/bin/sh
# autotune-calibrate: what it plans, measures and refuses.
. "${top_srcdir:?}/test/lib.sh"

calibrate=$top_builddir/tune/calibrate/autotune-calibrate
check_points=$top_srcdir/test/tools/calibrate_check.py
cd "$scratch" || exit 99

# calibrate N OPTION...: with small files and a small budget
calibrate()
{
    _ranks=$1
    shift
    mpi "$_ranks" "$calibrate" --max-memory 64M "$@"
}

# refuses CODE TEXT N OPTION...: ends with CODE on all ranks, complains TEXT
# once, leaves nothing
refuses()
{
    _code=$1 _text=$2
    shift 2
    calibrate "$@" > said 2>&1
    _rc=$?
    cat said
    [ $_rc -eq "$_code" ] && [ "$(grep -cF -e "$_text" said)" -eq 1 ] && [ ! -e new ]
}

# --- command line

check "--help" sh -c "'$calibrate' --help > help && grep -q -e '--budget TIME' help"
check "no directory" refuses 2 "--dir and --out are needed" 2 --out p.json
check "a wrong budget" refuses 2 "is not a time" 2 --dir new --out p.json --budget soon
check "an unknown operation" refuses 2 "is not a list of operations" 2 --dir new --out p.json --only scan
check "an unknown policy" refuses 2 "no such policy" 1 --dir new --out p.json --policy none
check "an unknown driver" refuses 2 "is not ufs, nfs, gpfs or lustre" 1 --dir new --out p.json --driver fat
check "a topology that is none" refuses 1 "missing.json" 2 --dir new --out p.json --topology missing.json
check "a directory that cannot be made" refuses 1 "no/such" 2 --dir no/such/directory --out p.json
unset SLURM_JOB_ID
check "--slurm outside an allocation" refuses 1 "not in an allocation" 2 --dir new --out p.json --slurm

mkdir full && touch full/precious
check "a directory with other files" refuses 2 "is not empty" 2 --dir full --out p.json --budget 1s
check "they stay" [ -e full/precious ]
check "memory that no node has" refuses 2 "--max-memory: is more than a node has" 2 --dir new --out p.json --max-memory 900T

# --- plan

check "a plan" sh -c "'$calibrate' --dir new --out p.json --dry-run > plan && grep -q '^all ' plan"
check "a plan makes nothing" [ ! -e new ]
calibrate 2 --dir new --out p.json --dry-run --only bcast,read_full > plan
check "of chosen operations" sh -c "grep -q ^bcast plan && grep -q ^read_full plan && ! grep -q ^write plan"

check "what the plan leaves out is said" sh -c "'$calibrate' --dir new --out p.json --dry-run --max-memory 1M 2>&1 |
    grep -q 'need more than 0.00105 GB of buffers on a node'"

# --- measuring

# measures FS N OPTION...: a valid file, and no data left, in time
measures()
{
    _fs=$1 _n=$2
    shift 2
    rm -rf data p.json
    mkdir data
    _start=$(date +%s)
    over "$_fs" calibrate "$_n" --visits 2 "$@" --dir data --out p.json || return 1
    [ $(($(date +%s) - _start)) -le 60 ] || return 1 # other tests run beside it
    python3 "$check_points" p.json && [ -z "$(find data -mindepth 1)" ] && [ ! -e p.json.journal ]
}

check "on a local file system" measures ufs 4 --budget 4s --cache 0
check "it says that storage is cached" grep -q '"storage": "cached, as requested"' p.json
check "new memory is measured, too" grep -q '"operation": "touch"' p.json
check "the same command again is refused" refuses 2 "--force measures again" 4 --dir data --out p.json
check "with a cache to exceed" measures ufs 2 --budget 6s --cache 1M \
    --only write_full,read_full,read_first,read_cached
check "it says so" grep -q "through a cache" p.json
check "reads from the cache are measured, too" grep -q "read_cached" p.json
check "with a cache to measure" measures ufs 2 --budget 4s --only write_partial,write_drained
check "on Lustre (stand-in)" measures lustre 4 --budget 4s --cache 0 \
    --only write_first,write_full,write_partial,read_first,read_full,read_partial
check "with stripe counts" sh -c "grep -q '\"stripes\": 4' p.json && grep -q '\"servers\": 4' p.json"
check "on GPFS (stand-in)" measures gpfs 4 --budget 4s --cache 0 --block 4M --only exchange,write_full
check "on NFS (stand-in)" measures nfs 4 --budget 8s --cache 0 --only write_full,read_full
check "with another placement, one visit more" measures ufs 3 --budget 3s --cache 0 --visits 3 --policy uniform
# Two nodes: odd and even ranks have other host names.
cat > topology.json << 'END'
{"format": "romio-autotune-topology", "version": 1,
 "psets": [{"nodes": [{"name": "node0"}, {"name": "node1", "bridge": true}]}]}
END
cat > node.sh << 'END'
export node=node$((PMI_RANK % 2)) MPICH_INTERFACE_HOSTNAME=127.0.0.1
exec unshare --uts sh -c 'hostname "$node" && exec "$@"' node.sh "$@"
END
two_nodes()
{
    rm -rf data p.json
    mpi 6 sh node.sh "$calibrate" --max-memory 64M --visits 2 --budget 3s --cache 0 --topology topology.json \
        --only allreduce,exchange,write_full --dir data --out p.json &&
        python3 "$check_points" p.json
}
if unshare --uts hostname node0 2> /dev/null; then
    check "on two nodes, with a topology" two_nodes
    check "groups of nodes and of their ranks" sh -c \
        "grep -q '\"nodes\": 1,' p.json && grep -A1 '\"nodes\": 2,' p.json | grep -q '\"per_node\": 3'"
else
    skip "on two nodes" "may not change host names"
fi
# --- disks with little room

# small SIZE OPTION...: on a disk of that size, of which a gigabyte stays free
small()
{
    rm -rf small p.json*
    mkdir small
    _size=$1
    shift
    # shellcheck disable=SC2016
    unshare --mount sh -c 'mount -t tmpfs -o "size=$1" none "$2" && shift 2 && exec "$@"' sh "$_size" \
        "$scratch/small" timeout -k 5 "$watchdog" "$MPIEXEC" -n 4 "$calibrate" --dir small/d --out p.json \
        --visits 2 --budget 6s "$@" > said 2>&1 < /dev/null
    _rc=$?
    cat said
    return $_rc
}
if unshare --mount mount -t tmpfs none "$scratch" 2> /dev/null; then
    check "a small disk: sizes fit" small 1280m --cache 0
    check "and the points are valid" python3 "$check_points" p.json
    check "what is left out is said" grep -q "points are left out; .* need files larger than .* GB, the limit set by free space" said
    check "also in the points file" grep -q '"left_out": ".* points are left out' p.json
    check "no point needs more than there was" python3 - p.json << 'END'
import json, sys
for point in json.load(open(sys.argv[1]))["points"]:
    if point["operation"].startswith(("write", "read")):
        assert 2 * 4 * point["features"]["bytes"] * point["features"]["receivers"] <= 256 << 20, point
END
    check "a small disk, with a cache to measure" small 1400m --only write_full,read_full
    small 1000m > /dev/null
    check "a disk without room is refused with what to do" grep -q "no file fits: .* must stay so; make room, name another directory" said
    check "communication can be measured there" small 1000m --only bcast

    # Ended while there is FIRST MB of something else, and gone on with THEN MB of it.
    cat > goes-on.sh << 'END'
mount -t tmpfs -o size=1400m none small || exit 99
run()
{
    timeout -k 5 60 "$MPIEXEC" -n 3 "$calibrate" --dir small/d --out p.json --budget 8s --cache 0 \
        --only bcast,write_full,read_full < /dev/null
}
head -c "$1M" /dev/zero > small/other
run > begun 2>&1 &
until [ "$(cat p.json.journal 2> /dev/null | wc -l)" -ge 5 ]; do sleep 0.1; done
kill $(ps -o pid= --ppid $!)
wait
head -c "$2M" /dev/zero > small/other
run
END
    goes_on()
    {
        rm -rf small p.json*
        mkdir small
        calibrate=$calibrate timeout 120 unshare --mount sh goes-on.sh "$@" > said 2>&1
        _rc=$?
        cat begun said
        return $_rc
    }
    check "gone on with more room: the plan stays" goes_on 100 1
    check "a journal was there" grep -q "run the same command to continue" begun
    goes_on 1 100 > /dev/null
    check "with less room it is refused with what to do" grep -q "was begun with files of .* make room and give the same command" said
    rm -rf small p.json*
else
    skip "disks with little room" "needs root"
fi

check "on one rank" measures ufs 1 --budget 2s --cache 0 --only write_full,read_independent

export SLURM_JOB_ID=42 SLURM_JOB_NUM_NODES=1 SLURM_CLUSTER_NAME=tiny
check "in a Slurm allocation" measures ufs 2 --budget 2s --only allreduce --slurm
check "whose facts are kept" sh -c "grep -q '\"id\": \"42\"' p.json && grep -q '\"name\": \"tiny\"' p.json"
unset SLURM_JOB_ID SLURM_JOB_NUM_NODES SLURM_CLUSTER_NAME

# --- ended and gone on

# ends SIGNAL CODE: sent to mpiexec
ends()
{
    rm -rf data p.json*
    "$MPIEXEC" -n 3 "$calibrate" --max-memory 64M --dir data --out p.json --budget 20s --cache 0 \
        > said 2>&1 < /dev/null &
    sleep 2
    kill -"$1" $!
    wait $!
    _rc=$?
    cat said
    # mpiexec may end before the ranks it has ended
    for _half_second in 1 2 3 4 5 6 7 8 9 10; do
        [ -n "$(find data -mindepth 1)" ] || break
        sleep 0.5
    done
    echo "exit code $_rc, left: $(find data -mindepth 1)"
    [ $_rc -eq "$2" ] && grep -q "run the same command to continue" said && [ -s p.json.journal ] &&
        [ -z "$(find data -mindepth 1)" ]
}

# A rank that cannot write more than a few blocks of a file, from the start, or from when the journal has
# so many lines.
cat > limited.sh << 'END'
lines=$1
shift
if [ "$PMI_RANK" = 1 ]; then
    trap '' XFSZ
    if [ "$lines" -eq 0 ]; then
        ulimit -f 8
    else
        ( until [ "$(cat p.json.journal 2> /dev/null | wc -l)" -ge "$lines" ]; do sleep 0.1; done
            prlimit --pid $$ --fsize=4096:4096 ) &
    fi
fi
exec "$@"
END
# fails LINES TEXT
fails()
{
    rm -rf data p.json*
    watchdog=60
    mpi 3 sh limited.sh "$1" "$calibrate" --max-memory 64M --dir data --out p.json --budget 20s --cache 0 \
        --only allreduce,write_full > said 2>&1
    _rc=$?
    cat said
    [ $_rc -eq 1 ] && [ "$(grep -c "File too large; $2" said)" -eq 1 ] && [ -z "$(find data -mindepth 1)" ]
}

check "a rank that fails in the first look: all leave" fails 0 "nothing was measured yet"
check "no journal" [ ! -e p.json.journal ]
check "a rank that fails later: all leave" fails 3 "[0-9]* visits are kept"
check "journal kept" [ -s p.json.journal ]
check "SIGTERM: files removed, journal kept" ends TERM 143
# a shell ignores SIGINT for background jobs, which mpiexec would inherit
check "a journal of another plan is refused" refuses 2 "visits: is as time allows there and 5 here" 3 \
    --dir data --out p.json --budget 20s --cache 0 --visits 5
check "a changed journal is refused" sh -c "sed -i '2s/seconds/minutes/' p.json.journal"
check "by line and field" refuses 2 "line 2: seconds" 3 --dir data --out p.json --budget 20s --cache 0
check "--force drops it" calibrate 3 --dir data --out p.json --budget 1s --cache 0 --only bcast --force
check "and what follows is valid" python3 "$check_points" p.json
done_testing
