TESTS += test/tools/calibrate.sh test/tools/calibrate-kill.sh test/tools/calibrate-unit.sh
check_PROGRAMS += test/tools/calibrate/test_plan test/tools/calibrate/test_schedule \
    test/tools/calibrate/test_statistics test/tools/calibrate/test_journal

calibrate_test_cppflags = $(calibrate_cppflags) -I$(top_srcdir)/test/tools/calibrate
calibrate_test_ldadd = models/libatm.la $(CMOCKA_LIBS) -lm

test_tools_calibrate_test_plan_SOURCES = test/tools/calibrate/test_plan.c \
    test/tools/calibrate/help.h $(calibrate_pure)
test_tools_calibrate_test_plan_CPPFLAGS = $(calibrate_test_cppflags)
test_tools_calibrate_test_plan_LDADD = $(calibrate_test_ldadd)

test_tools_calibrate_test_schedule_SOURCES = test/tools/calibrate/test_schedule.c \
    test/tools/calibrate/help.h $(calibrate_pure)
test_tools_calibrate_test_schedule_CPPFLAGS = $(calibrate_test_cppflags)
test_tools_calibrate_test_schedule_LDADD = $(calibrate_test_ldadd)

test_tools_calibrate_test_statistics_SOURCES = test/tools/calibrate/test_statistics.c \
    test/tools/calibrate/help.h $(calibrate_pure)
test_tools_calibrate_test_statistics_CPPFLAGS = $(calibrate_test_cppflags)
test_tools_calibrate_test_statistics_LDADD = $(calibrate_test_ldadd)

test_tools_calibrate_test_journal_SOURCES = test/tools/calibrate/test_journal.c \
    test/tools/calibrate/help.h $(calibrate_pure)
test_tools_calibrate_test_journal_CPPFLAGS = $(calibrate_test_cppflags)
test_tools_calibrate_test_journal_LDADD = $(calibrate_test_ldadd)
