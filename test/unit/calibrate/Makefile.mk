TESTS += test/tools/calibrate.sh test/tools/calibrate-kill.sh test/unit/calibrate/calibrate-unit.sh
calibrate_tests = test/unit/calibrate/test_journal test/unit/calibrate/test_plan test/unit/calibrate/test_schedule \
    test/unit/calibrate/test_statistics
check_PROGRAMS += $(calibrate_tests)
$(calibrate_tests): tune/calibrate/libcalibrate.la
test/unit/calibrate/%: LDADD = tune/calibrate/libcalibrate.la tools/common/libcommon.la $(CMOCKA_LIBS) -lm
