## Time of the Lustre stand-in, and what is measured on it.

TESTS += test/standin/time.sh
test_standin_standin_la_SOURCES += test/standin/standin_time.h test/standin/standin_time.c \
    test/standin/standin_shared.c test/standin/standin_locks.c

check_PROGRAMS += test/standin/standin-ost
test_standin_standin_ost_SOURCES = test/standin/standin_time.h test/standin/standin_ost.c \
    test/standin/standin_shared.c tools/options.h tools/options.c
test_standin_standin_ost_CPPFLAGS = -D_GNU_SOURCE $(AM_CPPFLAGS) -I$(top_srcdir)/tools
test_standin_standin_ost_LDADD = -lpthread

check_PROGRAMS += test/standin/test_locks test/standin/test_time
test_standin_test_locks_SOURCES = test/standin/test_locks.c test/standin/standin_time.h \
    test/standin/standin_locks.c
test_standin_test_locks_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_standin_test_locks_LDADD = $(CMOCKA_LIBS)
test_standin_test_time_SOURCES = test/standin/test_time.c test/standin/standin_time.h \
    test/standin/test_standin.h test/standin/standin_shared.c
test_standin_test_time_CPPFLAGS = -D_GNU_SOURCE $(AM_CPPFLAGS)
test_standin_test_time_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_standin_test_time_LDADD = $(CMOCKA_LIBS) -lpthread
