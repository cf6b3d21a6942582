#!/bin/sh
# autotune search, killed twenty times: the same evaluations as without, and no run made twice.
. "${top_srcdir:?}/test/lib.sh"

autotune=$top_builddir/tools/autotune/autotune
fake=$top_srcdir/test/tools/search-fake.sh
cd "$scratch" || exit 99
export ROMIO_AUTOTUNE_SPACES="$top_srcdir/tune/search/spaces" SEARCH_RECORD="$top_srcdir/test/tools/records/version-2.json"
unset ROMIO_AUTOTUNE ROMIO_AUTOTUNE_RECORD

# A script of its own, so that the process that is killed is the search.
cat > search << END
#!/bin/sh
folder=\$1
shift
exec "$autotune" search --space plain --hopeless 0 --metric command --output "\$folder" --program fake "\$@" -- "$fake" log sleep
END
chmod +x search

lines() { if [ -e "$1/journal.jsonl" ]; then wc -l < "$1/journal.jsonl"; else echo 0; fi; }

# killed FOLDER LINES OPTION...: a search is killed when its journal has so many lines more; fails if
# it has ended before
killed()
{
    _folder=$1 _until=$(($(lines "$1") + $2))
    shift 2
    ./search "$_folder" "$@" > killed-said 2>&1 &
    _pid=$!
    while [ "$(lines "$_folder")" -lt "$_until" ] && kill -0 $_pid 2> /dev/null; do sleep 0.01; done
    sleep "0.0$(($(od -An -N1 -tu1 /dev/urandom) % 10))"
    kill -KILL $_pid 2> /dev/null
    _code=0
    wait $_pid 2> /dev/null || _code=$?
    [ $_code -eq 137 ]
}

# results FOLDER: names and values, in the order of names
results()
{
    python3 - "$1/journal.jsonl" << 'END'
import json, sys
for line in open(sys.argv[1]):
    line = json.loads(line)
    if "result" in line:
        r = line["result"]
        print(r["kind"], r["number"], r["point"], line["end"], line["value"])
END
}

# compare KILLS OPTION...: killed twenty times, or at least so often if it ends before
compare()
{
    least=$1
    shift
    rm -rf whole killed log
    check "without ($*)" ./search whole "$@"
    mv log log-whole
    kills=0
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        if killed killed $((i % 2 + 1)) "$@"; then kills=$((kills + 1)); fi
    done
    check "killed often enough ($kills)" test $kills -ge "$least"
    check "and then not" ./search killed "$@"
    results whole | sort > results-whole
    results killed | sort > results-killed
    check "the same evaluations" diff results-whole results-killed
    check "no result twice" test -z "$(uniq -d results-killed)"
    check "no run was made twice" test -z "$(sort log | uniq -d)"
    sort log > sorted
    sort log-whole > sorted-whole
    check "the same runs" diff sorted-whole sorted
}

few=cb_nodes,cb_buffer_size,hdf5.fill_time
compare 20 --strategy random --runs 120
compare 20 --strategy genetic --parallel 3 --runs 150 --verify
compare 8 --parameters $few --runs 60

# Supervisors killed, too: their runs are made again, and come to the same.
rm -rf killed log
for i in 1 2 3; do
    ./search killed --parameters $few --runs 60 > killed-said 2>&1 &
    pid=$!
    until=$(($(lines killed) + 2 * i))
    while [ "$(lines killed)" -lt $until ] && kill -0 $pid 2> /dev/null; do sleep 0.01; done
    supervisor=$(sed -n 's/^{"start".*"pid":\([0-9]*\).*/\1/p' killed/journal.jsonl | tail -n 1)
    kill -KILL $pid 2> /dev/null
    kill -KILL "$supervisor" 2> /dev/null
    wait $pid 2> /dev/null
done
check "with supervisors killed" ./search killed --parameters $few --runs 60
results killed | sort > results-killed
results whole | sort > results-whole
check "the same evaluations" diff results-whole results-killed
done_testing
