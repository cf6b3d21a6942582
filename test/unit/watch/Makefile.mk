## Tests of the pieces of libautotune-watch.so, without the library.

if HAVE_WATCH
test/unit/watch/%: LDADD = $(CMOCKA_LIBS) $(JSONC_LIBS) -lm -lpthread

TESTS += test/unit/watch/watch-unit.sh
check_PROGRAMS += test/unit/watch/test_call test/unit/watch/test_collect test/unit/watch/test_config \
    test/unit/watch/test_hdf5 test/unit/watch/test_modules test/unit/watch/test_pieces \
    test/unit/watch/test_reason test/unit/watch/test_spool

test_unit_watch_test_call_SOURCES = test/unit/watch/test_call.c watch/call.c watch/memory.c watch/threads.c

test_unit_watch_test_collect_SOURCES = test/unit/watch/test_collect.c watch/to_collector.c watch/memory.c \
    watch/spool_write.c

test_unit_watch_test_config_SOURCES = test/unit/watch/test_config.c watch/config.c

test_unit_watch_test_hdf5_SOURCES = test/unit/watch/test_hdf5.c watch/process_facts.c watch/h5_explain.c watch/h5_file.c \
    watch/h5_job.c watch/h5_known.c watch/h5_rule.c watch/h5_set.c watch/memory.c watch/text.c \
    models/files/job.c models/files/user.c $(watch_advice)
test_unit_watch_test_hdf5_CPPFLAGS = $(AM_CPPFLAGS) \
    -DATW_SYSCONFDIR='"/does/not/exist"'

test_unit_watch_test_modules_SOURCES = test/unit/watch/test_modules.c watch/files.c watch/memory.c \
    watch/module_histogram.c watch/module_readahead.c watch/module_survey.c watch/module_template.c watch/text.c
test_unit_watch_test_modules_LDFLAGS = -Wl,--wrap=posix_fadvise

# flags of its own, so that its objects are not those of a library
test_unit_watch_test_reason_CFLAGS = $(AM_CFLAGS)
test_unit_watch_test_reason_SOURCES = test/unit/watch/test_reason.c watch/module_histogram.c watch/reasoner.c \
    watch/text.c

test_unit_watch_test_pieces_SOURCES = test/unit/watch/test_pieces.c watch/files.c watch/map.c watch/memory.c \
    watch/text.c

test_unit_watch_test_spool_SOURCES = test/unit/watch/test_spool.c watch/spool_write.c
endif HAVE_WATCH
