# Sourced by the tests of autotune-probe, after test/lib.sh: runs of it in $scratch, and
# questions about its traces.

probe=$top_builddir/site/probe/autotune-probe
cd "$scratch" || exit 99
unset SLURM_PROCID SLURM_STEP_NUM_TASKS SLURM_JOB_ID PMI_RANK PMI_SIZE
unset OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE

# lines KIND [PATTERN]: how many lines of the traces are of this kind and like this pattern;
# every line of every trace is a document, unless $torn is 1: then the last of a file may be cut
torn=0
lines()
{
    python3 - "$torn" "$@" << 'END'
import glob, json, re, sys
torn, kind = sys.argv[1] == "1", sys.argv[2]
pattern = sys.argv[3] if len(sys.argv) > 3 else ""
count = 0
for name in glob.glob("traces/*.jsonl"):
    text = open(name).read()
    if torn:
        text = text[:text.rfind("\n") + 1]
    for number, line in enumerate(text.splitlines()):
        value = json.loads(line)
        if number == 0:
            assert value["format"] == "romio-autotune-trace" and value["version"] == 1, name
        else:
            assert value["time"] > 1.5e9, line
            count += value["kind"] == kind and re.search(pattern, json.dumps(value)) is not None
print(count)
END
}
has()
{
    _n=$1
    shift
    _found=$(lines "$@")
    echo "$_found lines, not $_n"
    [ "$_found" = "$_n" ]
}
has_some()
{
    _found=$(lines "$@")
    echo "$_found lines"
    [ "$_found" -ge 1 ]
}

# probes OPTION...: succeeds; nothing of what it wrote is left in data; what it says is in said
probes()
{
    rm -rf traces
    mkdir -p data traces
    timeout -k 5 60 "$probe" --dir data --traces traces --jobs none "$@" > said 2>&1
    set -- $?
    cat said
    [ "$1" -eq 0 ] && nothing_left && [ "$(find traces ! -name '*.jsonl' -type f)" = "" ]
}
nothing_left()
{
    [ -z "$(find data -type f ! -name .standin-time)" ]
}

# on_lustre COMMAND...: with data shown as Lustre, and with the library $also_preload
on_lustre()
{
    export STANDIN="lustre:$scratch/data" LD_PRELOAD="$top_builddir/test/grounds/standin/.libs/standin.so"
    if [ -n "$also_preload" ]; then export LD_PRELOAD="$also_preload:$LD_PRELOAD"; fi
    mkdir -p data
    "$@"
    set -- $?
    unset STANDIN LD_PRELOAD
    return "$1"
}

# start OPTION...: in the background, as process $prober
start()
{
    mkdir -p data traces
    "$probe" --dir data --traces traces --jobs none "$@" >> said 2>&1 &
    prober=$!
}

# within COMMAND...: succeeds at some time in the next minute or two
within()
{
    for _i in $(seq 500); do
        if "$@"; then return 0; fi
        sleep 0.2
    done
    return 1
}

# ended PROCESS: it was told to end, and does so with success
ended()
{
    kill -TERM "$1"
    wait "$1"
}
