## Time of the Lustre stand-in, and what is measured on it.

TESTS += test/grounds/standin/time.sh
test_grounds_standin_standin_la_SOURCES += test/grounds/standin/standin_time.h test/grounds/standin/standin_time.c \
    test/grounds/standin/standin_shared.c test/grounds/standin/standin_locks.c

check_PROGRAMS += test/grounds/standin/standin-ost
test_grounds_standin_standin_ost_SOURCES = test/grounds/standin/standin_time.h test/grounds/standin/standin_ost.c \
    test/grounds/standin/standin_shared.c
test_grounds_standin_standin_ost_CPPFLAGS = -D_GNU_SOURCE $(AM_CPPFLAGS) -I$(top_srcdir)/tools
test_grounds_standin_standin_ost_LDADD = tools/common/libcommon.la -lpthread

check_PROGRAMS += test/grounds/standin/test_locks test/grounds/standin/test_time
test_grounds_standin_test_locks_SOURCES = test/grounds/standin/test_locks.c test/grounds/standin/standin_time.h \
    test/grounds/standin/standin_locks.c
test_grounds_standin_test_locks_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_grounds_standin_test_locks_LDADD = $(CMOCKA_LIBS)
test_grounds_standin_test_time_SOURCES = test/grounds/standin/test_time.c test/grounds/standin/standin_time.h \
    test/grounds/standin/test_standin.h test/grounds/standin/standin_shared.c
test_grounds_standin_test_time_CPPFLAGS = -D_GNU_SOURCE $(AM_CPPFLAGS)
test_grounds_standin_test_time_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_grounds_standin_test_time_LDADD = $(CMOCKA_LIBS) -lpthread
