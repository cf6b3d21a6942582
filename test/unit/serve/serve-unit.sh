#!/bin/sh
# Serve: units, with SQLite and, where there is one, with PostgreSQL.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/unit/history/postgresql.sh"

export CMOCKA_MESSAGE_OUTPUT=TAP
cd "$scratch" || exit 99
mkdir spools
"$top_builddir/test/unit/serve/make_spools" spools
for program in test_ask test_guard test_places test_answer; do
    check_tap "$program" timeout 300 "$top_builddir/test/unit/serve/$program"
done

if ! ldd "$top_builddir/tools/autotune/autotune-history" 2> /dev/null | grep -q libpq &&
    ! ldd "$top_builddir/tools/autotune/.libs/autotune-history" 2> /dev/null | grep -q libpq; then
    skip "PostgreSQL" "this build has none"
elif postgresql_start; then
    export HISTORY_TEST_DB="$postgresql"
    check_tap "test_answer, PostgreSQL" timeout 300 "$top_builddir/test/unit/serve/test_answer"
else
    skip "PostgreSQL" "$postgresql_lacks"
fi
done_testing
