#!/bin/sh
# Serve: units, with SQLite and, where there is one, with PostgreSQL.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/unit/history/postgresql.sh"

export CMOCKA_MESSAGE_OUTPUT=TAP
cd "$scratch" || exit 99
mkdir spools
"$top_builddir/test/unit/serve/make_spools" spools
for program in test_ask test_guard test_places test_answer test_sorted; do
    check_tap "$program" timeout 300 "$top_builddir/test/unit/serve/$program"
done

if ! ldd "$top_builddir/tools/autotune/autotune-history" 2> /dev/null | grep -q libpq &&
    ! ldd "$top_builddir/tools/autotune/.libs/autotune-history" 2> /dev/null | grep -q libpq; then
    skip "PostgreSQL" "this build has none"
elif postgresql_start; then
    export HISTORY_TEST_DB="$postgresql"
    check_tap "test_answer, PostgreSQL" timeout 300 "$top_builddir/test/unit/serve/test_answer"
    check_tap "test_sorted, PostgreSQL" timeout 300 \
        env PGOPTIONS="-c session_preload_libraries=auto_explain -c auto_explain.log_min_duration=0" \
        "$top_builddir/test/unit/serve/test_sorted"
    # how the server did it: what is done for each of a million activities takes seconds
    plans=$scratch/postgresql/log
    sorted="Query Text: SELECT a.id, .* FROM process p CROSS JOIN activity"
    if grep -q "$sorted" "$plans"; then
        early()
        {
            awk -v sorted="$sorted" '
                function judge() { if (query != "" && limits < 2) { print query; bad = 1 } query = "" }
                /Query Text:/ { judge(); limits = 0; if ($0 ~ sorted) query = $0 }
                / Limit  \(|^\tLimit  \(/ { limits++ }
                END { judge(); exit bad }' "$plans"
        }
        check "only rows of the page are joined to what is shown of them" early
        check "times are not computed as decimal numbers" sh -c '! grep "a.start)::numeric" "$1"' sh "$plans"
    else
        skip "plans of PostgreSQL" "it does not tell them"
    fi
else
    skip "PostgreSQL" "$postgresql_lacks"
fi
done_testing
