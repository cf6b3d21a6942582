TESTS += test/tools/probe.sh test/tools/probe-faults.sh test/tools/probe-slurm.sh \
    test/unit/probe/probe-unit.sh
probe_tests = test/unit/probe/test_jobs test/unit/probe/test_lease test/unit/probe/test_passive \
    test/unit/probe/test_timetable test/unit/probe/test_trace
check_PROGRAMS += $(probe_tests)
$(probe_tests): site/probe/libprobe.la
test/unit/probe/%: LDADD = site/probe/libprobe.la tools/common/libcommon.la $(CMOCKA_LIBS) -lm -lpthread

check_LTLIBRARIES += test/tools/probe_faults.la
test_tools_probe_faults_la_LDFLAGS = -module -avoid-version -shared -rpath /not/installed
test_tools_probe_faults_la_LIBADD = -ldl
