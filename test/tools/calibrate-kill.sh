#!/bin/sh
# autotune-calibrate, killed at three random moments: the same command continues,
# nothing measured is lost, no data file stays.
. "${top_srcdir:?}/test/lib.sh"

calibrate=$top_builddir/tune/calibrate/autotune-calibrate
cd "$scratch" || exit 99

# Each rank leaves its number, to be killed by.
cat > rank.sh << 'END'
echo $$ >> pids
exec "$@"
END

start()
{
    : > pids
    mpi 4 sh rank.sh "$calibrate" --dir data --out points.json --budget 8s --cache 0 \
        --max-memory 64M > log 2>&1
}

for moment in 1 2 3; do
    seconds=$(awk -v n="$moment$$" 'BEGIN { srand(); srand(srand() + n); print 0.2 + 2 * rand() }')
    start &
    sleep "$seconds"
    # shellcheck disable=SC2046
    kill -KILL $(cat pids) 2> /dev/null
    wait $!
    rc=$?
    lines=$(cat points.json.journal 2> /dev/null | wc -l)
    if [ $rc -ne 0 ] && [ ! -e points.json ]; then
        ok "killed after $seconds s with $lines lines in the journal"
    else
        not_ok "killed after $seconds s: ended with $rc" log
    fi
    cp points.json.journal "journal.$moment" 2> /dev/null
done

check "the same command continues" start
check "a complete points file with all that was measured" \
    python3 "$top_srcdir/test/tools/calibrate_check.py" points.json journal.?
check "of all operations" grep -q write_independent points.json
check "no journal stays" [ ! -e points.json.journal ]
check "no data file stays" sh -c '[ -z "$(find data -mindepth 1)" ]'
done_testing
