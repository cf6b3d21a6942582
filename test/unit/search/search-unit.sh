#!/bin/sh
# Search: units.
. "${top_srcdir:?}/test/lib.sh"

export CMOCKA_MESSAGE_OUTPUT=TAP
export ROMIO_AUTOTUNE_SPACES="$top_srcdir/tune/search/spaces" SEARCH_TEST_RECORDS="$top_srcdir/test/tools/records"
cd "$scratch" || exit 99
for program in test_space test_import test_journal test_strategies test_prior test_result; do
    check_tap "$program" timeout 1800 "$top_builddir/test/unit/search/$program"
done
done_testing
