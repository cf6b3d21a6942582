## Tests of the history: spools, databases, imports, traces, learning.  No MPI.

TESTS += test/unit/history/history.sh
history_tests = test/unit/history/test_correct test/unit/history/test_database test/unit/history/test_import \
    test/unit/history/test_import_limits test/unit/history/test_learn test/unit/history/test_learn_drift \
    test/unit/history/test_spool test/unit/history/test_survey test/unit/history/test_trace
check_PROGRAMS += $(history_tests)
$(history_tests): site/history/libhistory.la
test/unit/history/%: LDADD = site/history/libhistory.la $(CMOCKA_LIBS) $(SQLITE_LIBS) -lm
test_unit_history_test_database_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)

# Spools as large as one asks for: for the shell test and the benchmark of imports
check_PROGRAMS += test/unit/history/make_spool
test_unit_history_make_spool_LDADD =
