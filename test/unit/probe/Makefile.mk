TESTS += test/tools/probe.sh test/tools/probe-faults.sh test/tools/probe-slurm.sh \
    test/unit/probe/probe-unit.sh
check_PROGRAMS += test/unit/probe/test_jobs test/unit/probe/test_lease \
    test/unit/probe/test_passive test/unit/probe/test_timetable test/unit/probe/test_trace

probe_test_ldadd = tools/common/libcommon.la $(CMOCKA_LIBS) -lm

test_unit_probe_test_jobs_SOURCES = test/unit/probe/test_jobs.c test/unit/probe/help.h $(probe_pure)
test_unit_probe_test_jobs_CPPFLAGS = $(tool_cppflags)
test_unit_probe_test_jobs_LDADD = $(probe_test_ldadd)

test_unit_probe_test_lease_SOURCES = test/unit/probe/test_lease.c test/unit/probe/help.h $(probe_pure)
test_unit_probe_test_lease_CPPFLAGS = $(tool_cppflags)
test_unit_probe_test_lease_LDADD = $(probe_test_ldadd) -lpthread

test_unit_probe_test_passive_SOURCES = test/unit/probe/test_passive.c test/unit/probe/help.h \
    $(probe_pure)
test_unit_probe_test_passive_CPPFLAGS = $(tool_cppflags)
test_unit_probe_test_passive_LDADD = $(probe_test_ldadd)

test_unit_probe_test_timetable_SOURCES = test/unit/probe/test_timetable.c \
    test/unit/probe/help.h $(probe_pure)
test_unit_probe_test_timetable_CPPFLAGS = $(tool_cppflags)
test_unit_probe_test_timetable_LDADD = $(probe_test_ldadd)

test_unit_probe_test_trace_SOURCES = test/unit/probe/test_trace.c test/unit/probe/help.h $(probe_pure)
test_unit_probe_test_trace_CPPFLAGS = $(tool_cppflags)
test_unit_probe_test_trace_LDADD = $(probe_test_ldadd)

check_LTLIBRARIES += test/tools/probe_faults.la
test_tools_probe_faults_la_SOURCES = test/tools/probe_faults.c
test_tools_probe_faults_la_CPPFLAGS = -D_GNU_SOURCE
test_tools_probe_faults_la_LDFLAGS = -module -avoid-version -shared -rpath /not/installed
test_tools_probe_faults_la_LIBADD = -ldl
