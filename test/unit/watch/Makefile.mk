## Tests of the pieces of libautotune-watch.so, without the library.

if HAVE_WATCH
watch_test_cppflags = -D_GNU_SOURCE -I$(top_srcdir)/watch
watch_test_cflags = $(AM_CFLAGS) $(CMOCKA_CFLAGS)

TESTS += test/unit/watch/watch-unit.sh
check_PROGRAMS += test/unit/watch/test_call test/unit/watch/test_collect test/unit/watch/test_config \
    test/unit/watch/test_hdf5 test/unit/watch/test_modules test/unit/watch/test_pieces \
    test/unit/watch/test_reason test/unit/watch/test_spool

test_unit_watch_test_call_SOURCES = test/unit/watch/test_call.c test/unit/watch/help.h watch/call.c \
    watch/memory.c watch/threads.c
test_unit_watch_test_call_CPPFLAGS = $(watch_test_cppflags)
test_unit_watch_test_call_CFLAGS = $(watch_test_cflags)
test_unit_watch_test_call_LDADD = $(CMOCKA_LIBS) -lpthread

test_unit_watch_test_collect_SOURCES = test/unit/watch/test_collect.c test/unit/watch/help.h \
    watch/collect.c watch/memory.c watch/spool_write.c
test_unit_watch_test_collect_CPPFLAGS = $(watch_test_cppflags)
test_unit_watch_test_collect_CFLAGS = $(watch_test_cflags)
test_unit_watch_test_collect_LDADD = $(CMOCKA_LIBS)

test_unit_watch_test_config_SOURCES = test/unit/watch/test_config.c test/unit/watch/help.h watch/config.c
test_unit_watch_test_config_CPPFLAGS = $(watch_test_cppflags)
test_unit_watch_test_config_CFLAGS = $(watch_test_cflags)
test_unit_watch_test_config_LDADD = $(CMOCKA_LIBS)

test_unit_watch_test_hdf5_SOURCES = test/unit/watch/test_hdf5.c test/unit/watch/hdf5_help.h test/unit/watch/help.h watch/facts.c \
    watch/h5_explain.c watch/h5_file.c watch/h5_job.c watch/h5_known.c watch/h5_rule.c watch/h5_set.c \
    watch/memory.c watch/text.c models/files/job.c models/files/user.c $(watch_advice)
test_unit_watch_test_hdf5_CPPFLAGS = $(watch_test_cppflags) -I$(top_srcdir)/models \
    -DATW_SYSCONFDIR='"/does/not/exist"'
test_unit_watch_test_hdf5_CFLAGS = $(watch_test_cflags) $(JSONC_CFLAGS)
test_unit_watch_test_hdf5_LDADD = $(CMOCKA_LIBS) $(JSONC_LIBS)

test_unit_watch_test_modules_SOURCES = test/unit/watch/test_modules.c test/unit/watch/help.h watch/files.c \
    watch/memory.c watch/module_histogram.c watch/module_readahead.c watch/module_survey.c \
    watch/module_template.c watch/text.c
test_unit_watch_test_modules_CPPFLAGS = $(watch_test_cppflags) -I$(top_srcdir)/models
test_unit_watch_test_modules_CFLAGS = $(watch_test_cflags) $(JSONC_CFLAGS)
test_unit_watch_test_modules_LDADD = $(CMOCKA_LIBS) $(JSONC_LIBS)
test_unit_watch_test_modules_LDFLAGS = -Wl,--wrap=posix_fadvise

test_unit_watch_test_reason_SOURCES = test/unit/watch/test_reason.c test/unit/watch/help.h watch/histogram.h \
    watch/module_histogram.c watch/reason.c watch/reason.h watch/text.c
test_unit_watch_test_reason_CPPFLAGS = $(watch_test_cppflags)
test_unit_watch_test_reason_CFLAGS = $(watch_test_cflags)
test_unit_watch_test_reason_LDADD = $(CMOCKA_LIBS) -lm

test_unit_watch_test_pieces_SOURCES = test/unit/watch/test_pieces.c test/unit/watch/help.h watch/files.c \
    watch/map.c watch/memory.c watch/text.c
test_unit_watch_test_pieces_CPPFLAGS = $(watch_test_cppflags) -I$(top_srcdir)/models
test_unit_watch_test_pieces_CFLAGS = $(watch_test_cflags)
test_unit_watch_test_pieces_LDADD = $(CMOCKA_LIBS)

test_unit_watch_test_spool_SOURCES = test/unit/watch/test_spool.c test/unit/watch/help.h watch/spool_write.c
test_unit_watch_test_spool_CPPFLAGS = $(watch_test_cppflags)
test_unit_watch_test_spool_CFLAGS = $(watch_test_cflags)
test_unit_watch_test_spool_LDADD = $(CMOCKA_LIBS)
endif HAVE_WATCH
