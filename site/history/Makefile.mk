## History: what jobs did, in a database, and what is learned from it.  No MPI.

noinst_LTLIBRARIES += site/history/libhistory.la
site_history_libhistory_la_SOURCES = site/history/back_ends.c site/history/correct.c site/history/database.c \
    site/history/history.c site/history/import_facts.c site/history/import_limits.c site/history/import_link.c \
    site/history/import_path.c site/history/import_process.c site/history/import_record.c \
    site/history/import_spool.c site/history/import_survey.c site/history/import_uses.c site/history/learn_rules.c \
    site/history/learn_blocks.c site/history/learn_class.c site/history/learn_judge.c \
    site/history/learn_keep.c site/history/learn_load.c site/history/learn_samples.c site/history/list.c \
    site/history/listings.c site/history/protobuf.c site/history/prune.c site/history/schema.c \
    site/history/spool_read.c site/history/sqlite.c site/history/survey.c site/history/timeline.c \
    site/history/trace_otf2.c site/history/trace_processes.c site/history/trace_slices.c site/history/trial.c
if HAVE_LIBPQ
site_history_libhistory_la_SOURCES += site/history/postgresql.c
endif
if HAVE_OTF2
site_history_libhistory_la_SOURCES += site/history/trace_otf2_definitions.c site/history/trace_otf2_events.c
endif
site_history_libhistory_la_CPPFLAGS = $(AM_CPPFLAGS) $(LIBPQ_CPPFLAGS) $(OTF2_CPPFLAGS)
site_history_libhistory_la_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS) $(LIBPQ_CFLAGS) $(OTF2_CFLAGS)
site_history_libhistory_la_LIBADD = tools/common/libcommon.la models/libatm.la $(SQLITE_LIBS) \
    $(LIBPQ_LIBS) $(OTF2_LIBS) $(GSL_LIBS) -lm
