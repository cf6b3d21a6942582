## Search: measures a program with many settings and finds the fastest.  No MPI.

noinst_LTLIBRARIES += tune/search/libsearch.la
tune_search_libsearch_la_SOURCES = tune/search/conduct.c tune/search/crew.c tune/search/seen_io.c \
    tune/search/gp.c tune/search/h5tuner.c tune/search/journal.c tune/search/journal_read.c \
    tune/search/journal_write.c tune/search/point.c tune/search/prior.c tune/search/rank.c \
    tune/search/findings.c tune/search/findings_page.c tune/search/rule.c tune/search/run_command.c tune/search/space.c \
    tune/search/space_change.c tune/search/space_find.c tune/search/spawn.c tune/search/strategies.c \
    tune/search/strategy_exhaustive.c tune/search/strategy_genetic.c tune/search/strategy_model.c \
    tune/search/strategy_random.c tune/search/ats_trial.c tune/search/xml.c
tune_search_libsearch_la_CPPFLAGS = $(AM_CPPFLAGS) -DPKGDATADIR='"$(pkgdatadir)"'
tune_search_libsearch_la_CFLAGS = $(AM_CFLAGS) $(EXPAT_CFLAGS)
tune_search_libsearch_la_LIBADD = tools/report/libpage.la tools/common/libcommon.la models/libatm.la \
    $(EXPAT_LIBS) $(GSL_LIBS) -lm

spacesdir = $(pkgdatadir)/spaces
dist_spaces_DATA = tune/search/spaces/gpfs.json tune/search/spaces/lustre.json tune/search/spaces/plain.json
