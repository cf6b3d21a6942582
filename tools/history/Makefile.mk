## History: what jobs did, in a database, and what is learned from it.  No MPI.

noinst_LTLIBRARIES += tools/history/libhistory.la
tools_history_libhistory_la_SOURCES = tools/history/back_ends.c tools/history/correct.c tools/history/database.c \
    tools/history/history.c tools/history/import_facts.c tools/history/import_limits.c tools/history/import_link.c \
    tools/history/import_path.c tools/history/import_process.c tools/history/import_record.c \
    tools/history/import_spool.c tools/history/import_survey.c tools/history/import_uses.c tools/history/learn.c \
    tools/history/learn_blocks.c tools/history/learn_class.c tools/history/learn_judge.c \
    tools/history/learn_keep.c tools/history/learn_load.c tools/history/learn_samples.c tools/history/list.c \
    tools/history/lists.c tools/history/protobuf.c tools/history/prune.c tools/history/schema.c \
    tools/history/spool_read.c tools/history/sqlite.c tools/history/survey.c tools/history/trace.c \
    tools/history/trace_otf2.c tools/history/trace_processes.c tools/history/trace_slices.c tools/history/trial.c
if HAVE_LIBPQ
tools_history_libhistory_la_SOURCES += tools/history/postgresql.c
endif
if HAVE_OTF2
tools_history_libhistory_la_SOURCES += tools/history/trace_otf2_definitions.c tools/history/trace_otf2_events.c
endif
tools_history_libhistory_la_CPPFLAGS = $(AM_CPPFLAGS) $(LIBPQ_CPPFLAGS) $(OTF2_CPPFLAGS)
tools_history_libhistory_la_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS) $(LIBPQ_CFLAGS) $(OTF2_CFLAGS)
tools_history_libhistory_la_LIBADD = tools/common/libcommon.la models/libatm.la $(SQLITE_LIBS) \
    $(LIBPQ_LIBS) $(OTF2_LIBS) $(GSL_LIBS) -lm
