TESTS += test/unit/collect/collect-unit.sh
if HAVE_WATCH
TESTS += test/tools/collect.sh test/tools/collect-faults.sh test/tools/reason.sh
endif HAVE_WATCH
check_PROGRAMS += test/tools/collect_client test/tools/collect_writer test/tools/reason_worker
collect_tests = test/unit/collect/test_check test/unit/collect/test_counters test/unit/collect/test_node \
    test/unit/collect/test_say
check_PROGRAMS += $(collect_tests)
$(collect_tests): site/collect/libcollect.la
test/unit/collect/%: LDADD = site/collect/libcollect.la tools/common/libcommon.la $(CMOCKA_LIBS) -lpthread -lm

check_LTLIBRARIES += test/tools/collect_clock.la
test_tools_collect_clock_la_LDFLAGS = -module -avoid-version -shared -rpath /not/installed
test_tools_collect_clock_la_LIBADD = -ldl
