## The Lustre stand-in, those for GPFS and NFS, and what is measured on it.

TESTS += test/grounds/standin/standin.sh test/grounds/standin/time.sh
check_LTLIBRARIES += test/grounds/standin/standin.la
test_grounds_standin_standin_la_SOURCES = test/grounds/standin/standin_calls.c test/grounds/standin/standin_client.c \
    test/grounds/standin/standin_config.c test/grounds/standin/standin_default.c \
    test/grounds/standin/standin_descriptors.c test/grounds/standin/standin_layout.c \
    test/grounds/standin/standin_locks.c test/grounds/standin/standin_lustre.c test/grounds/standin/standin_obd.c \
    test/grounds/standin/standin_shared.c test/grounds/standin/standin_stat.c test/grounds/standin/standin_time.c
# flags of its own, so that its objects are not those of the programs
test_grounds_standin_standin_la_CFLAGS = $(AM_CFLAGS)
test_grounds_standin_standin_la_LDFLAGS = -module -avoid-version -shared -rpath /not/installed
test_grounds_standin_standin_la_LIBADD = -ldl -lpthread

check_PROGRAMS += test/grounds/standin/standin-ost test/grounds/standin/test_locks test/grounds/standin/test_standin \
    test/grounds/standin/test_time
test_grounds_standin_standin_ost_SOURCES = test/grounds/standin/standin_ost.c test/grounds/standin/standin_shared.c
test_grounds_standin_standin_ost_LDADD = tools/common/libcommon.la -lpthread
test_grounds_standin_test_locks_SOURCES = test/grounds/standin/test_locks.c test/grounds/standin/standin_locks.c
test_grounds_standin_test_locks_LDADD = $(CMOCKA_LIBS) -lpthread
test_grounds_standin_test_standin_SOURCES = test/grounds/standin/test_standin.c \
    test/grounds/standin/test_standin_clients.c test/grounds/standin/test_standin_default.c \
    test/grounds/standin/test_standin_late.c test/grounds/standin/test_standin_lustre.c
test_grounds_standin_test_standin_LDADD = $(CMOCKA_LIBS)
test_grounds_standin_test_time_SOURCES = test/grounds/standin/test_time.c test/grounds/standin/standin_shared.c
test_grounds_standin_test_time_LDADD = $(CMOCKA_LIBS) -lpthread
