TESTS += test/unit/collect/collect-unit.sh
if HAVE_WATCH
TESTS += test/tools/collect.sh test/tools/collect-faults.sh test/tools/reason.sh
endif HAVE_WATCH
check_PROGRAMS += test/unit/collect/test_check test/unit/collect/test_counters test/unit/collect/test_node \
    test/unit/collect/test_say \
    test/tools/collect_client \
    test/tools/collect_writer test/tools/reason_worker

test_unit_collect_test_check_SOURCES = test/unit/collect/test_check.c test/unit/collect/help.h \
    $(collect_pure)
test_unit_collect_test_check_CPPFLAGS = $(tool_cppflags) -I$(top_srcdir)
test_unit_collect_test_check_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_collect_test_check_LDADD = tools/common/libcommon.la $(CMOCKA_LIBS) -lm

test_unit_collect_test_counters_SOURCES = test/unit/collect/test_counters.c test/unit/collect/help.h \
    $(collect_pure)
test_unit_collect_test_counters_CPPFLAGS = $(tool_cppflags) -I$(top_srcdir)
test_unit_collect_test_counters_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_collect_test_counters_LDADD = tools/common/libcommon.la $(CMOCKA_LIBS) -lm

test_unit_collect_test_node_SOURCES = test/unit/collect/test_node.c test/unit/collect/help.h \
    tools/collect/neighbours.h tools/collect/neighbours.c tools/collect/neighbours_file.h \
    tools/collect/neighbours_file.c tools/collect/node.h tools/collect/node.c tools/collect/users.h tools/collect/users.c \
    tools/collect/collect.h tools/collect/say.c watch/collect_format.h watch/reason.h watch/reason.c
test_unit_collect_test_node_CPPFLAGS = $(tool_cppflags) -I$(top_srcdir)
test_unit_collect_test_node_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_collect_test_node_LDADD = tools/common/libcommon.la $(CMOCKA_LIBS) -lpthread -lm

test_unit_collect_test_say_SOURCES = test/unit/collect/test_say.c test/unit/collect/help.h \
    tools/collect/collect.h tools/collect/say.c
test_unit_collect_test_say_CPPFLAGS = $(tool_cppflags) -I$(top_srcdir)
test_unit_collect_test_say_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_collect_test_say_LDADD = $(CMOCKA_LIBS) -lpthread

test_tools_collect_client_SOURCES = test/tools/collect_client.c watch/collect_format.h watch/spool_format.h
test_tools_collect_client_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir)
test_tools_reason_worker_SOURCES = test/tools/reason_worker.c
test_tools_reason_worker_CPPFLAGS = $(tool_cppflags)
test_tools_collect_writer_SOURCES = test/tools/collect_writer.c
test_tools_collect_writer_CPPFLAGS = -D_GNU_SOURCE

check_LTLIBRARIES += test/tools/collect_clock.la
test_tools_collect_clock_la_SOURCES = test/tools/collect_clock.c
test_tools_collect_clock_la_CPPFLAGS = -D_GNU_SOURCE
test_tools_collect_clock_la_LDFLAGS = -module -avoid-version -shared -rpath /not/installed
test_tools_collect_clock_la_LIBADD = -ldl
