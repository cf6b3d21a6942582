#!/bin/sh
# History: units, with SQLite and, where there is one, with PostgreSQL.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/unit/history/postgresql.sh"

export CMOCKA_MESSAGE_OUTPUT=TAP
cd "$scratch" || exit 99
for program in test_spool test_database test_import test_import_limits test_trace test_learn test_learn_drift test_correct test_survey; do
    check_tap "$program" timeout 600 "$top_builddir/test/unit/history/$program"
done

if ! ldd "$top_builddir/tools/autotune/autotune-history" 2> /dev/null | grep -q libpq &&
    ! ldd "$top_builddir/tools/autotune/.libs/autotune-history" 2> /dev/null | grep -q libpq; then
    skip "PostgreSQL" "this build has none"
elif postgresql_start; then
    export HISTORY_TEST_DB="$postgresql"
    for program in test_database test_import test_import_limits test_trace test_correct test_survey; do
        check_tap "$program, PostgreSQL" timeout 600 "$top_builddir/test/unit/history/$program"
    done
else
    skip "PostgreSQL" "$postgresql_lacks"
fi
done_testing
