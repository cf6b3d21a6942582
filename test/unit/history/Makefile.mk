## Tests of the history: spools, databases, imports, traces, learning.  No MPI.

history_cppflags = $(tool_cppflags) -I$(top_srcdir) -I$(top_srcdir)/test
history_ldadd = tools/history/libhistory.la $(CMOCKA_LIBS) -lm

TESTS += test/unit/history/history.sh

check_PROGRAMS += test/unit/history/test_spool
test_unit_history_test_spool_SOURCES = test/unit/history/test_spool.c test/unit/history/spool_help.h
test_unit_history_test_spool_CPPFLAGS = $(history_cppflags)
test_unit_history_test_spool_LDADD = $(history_ldadd)

check_PROGRAMS += test/unit/history/test_database
test_unit_history_test_database_SOURCES = test/unit/history/test_database.c \
    test/unit/history/history_help.h
test_unit_history_test_database_CPPFLAGS = $(history_cppflags)
test_unit_history_test_database_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
test_unit_history_test_database_LDADD = $(history_ldadd) $(SQLITE_LIBS)

check_PROGRAMS += test/unit/history/test_import
test_unit_history_test_import_SOURCES = test/unit/history/test_import.c \
    test/unit/history/history_help.h test/unit/history/spool_help.h
test_unit_history_test_import_CPPFLAGS = $(history_cppflags)
test_unit_history_test_import_LDADD = $(history_ldadd)

check_PROGRAMS += test/unit/history/test_import_limits
test_unit_history_test_import_limits_SOURCES = test/unit/history/test_import_limits.c \
    test/unit/history/history_help.h test/unit/history/spool_help.h
test_unit_history_test_import_limits_CPPFLAGS = $(history_cppflags)
test_unit_history_test_import_limits_LDADD = $(history_ldadd)

check_PROGRAMS += test/unit/history/test_trace
test_unit_history_test_trace_SOURCES = test/unit/history/test_trace.c \
    test/unit/history/history_help.h test/unit/history/spool_help.h
test_unit_history_test_trace_CPPFLAGS = $(history_cppflags)
test_unit_history_test_trace_LDADD = $(history_ldadd)

check_PROGRAMS += test/unit/history/test_learn
test_unit_history_test_learn_SOURCES = test/unit/history/test_learn.c
test_unit_history_test_learn_CPPFLAGS = $(history_cppflags)
test_unit_history_test_learn_LDADD = $(history_ldadd)

check_PROGRAMS += test/unit/history/test_learn_drift
test_unit_history_test_learn_drift_SOURCES = test/unit/history/test_learn_drift.c
test_unit_history_test_learn_drift_CPPFLAGS = $(history_cppflags)
test_unit_history_test_learn_drift_LDADD = $(history_ldadd)

check_PROGRAMS += test/unit/history/test_survey
test_unit_history_test_survey_SOURCES = test/unit/history/test_survey.c \
    test/unit/history/history_help.h
test_unit_history_test_survey_CPPFLAGS = $(history_cppflags)
test_unit_history_test_survey_LDADD = $(history_ldadd)

check_PROGRAMS += test/unit/history/test_correct
test_unit_history_test_correct_SOURCES = test/unit/history/test_correct.c \
    test/unit/history/history_help.h
test_unit_history_test_correct_CPPFLAGS = $(history_cppflags)
test_unit_history_test_correct_LDADD = $(history_ldadd)

# Spools as large as one asks for: for the shell test and the benchmark of imports
check_PROGRAMS += test/unit/history/make_spool
test_unit_history_make_spool_SOURCES = test/unit/history/make_spool.c test/unit/history/spool_help.h
test_unit_history_make_spool_CPPFLAGS = $(history_cppflags)
