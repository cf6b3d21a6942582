TESTS += test/tools/calibrate.sh test/tools/calibrate-kill.sh test/unit/calibrate/calibrate-unit.sh
check_PROGRAMS += test/unit/calibrate/test_plan test/unit/calibrate/test_schedule \
    test/unit/calibrate/test_statistics test/unit/calibrate/test_journal

calibrate_test_cppflags = $(calibrate_cppflags)
calibrate_test_ldadd = tools/common/libcommon.la $(CMOCKA_LIBS) -lm

test_unit_calibrate_test_plan_SOURCES = test/unit/calibrate/test_plan.c \
    test/unit/calibrate/help.h $(calibrate_pure)
test_unit_calibrate_test_plan_CPPFLAGS = $(calibrate_test_cppflags)
test_unit_calibrate_test_plan_LDADD = $(calibrate_test_ldadd)

test_unit_calibrate_test_schedule_SOURCES = test/unit/calibrate/test_schedule.c \
    test/unit/calibrate/help.h $(calibrate_pure)
test_unit_calibrate_test_schedule_CPPFLAGS = $(calibrate_test_cppflags)
test_unit_calibrate_test_schedule_LDADD = $(calibrate_test_ldadd)

test_unit_calibrate_test_statistics_SOURCES = test/unit/calibrate/test_statistics.c \
    test/unit/calibrate/help.h $(calibrate_pure)
test_unit_calibrate_test_statistics_CPPFLAGS = $(calibrate_test_cppflags)
test_unit_calibrate_test_statistics_LDADD = $(calibrate_test_ldadd)

test_unit_calibrate_test_journal_SOURCES = test/unit/calibrate/test_journal.c \
    test/unit/calibrate/help.h $(calibrate_pure)
test_unit_calibrate_test_journal_CPPFLAGS = $(calibrate_test_cppflags)
test_unit_calibrate_test_journal_LDADD = $(calibrate_test_ldadd)
