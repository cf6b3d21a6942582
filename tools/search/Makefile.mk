## Search: measures a program with many settings and finds the fastest.  No MPI.

noinst_LTLIBRARIES += tools/search/libsearch.la
tools_search_libsearch_la_SOURCES = tools/search/conduct.c tools/search/crew.c tools/search/facts.c \
    tools/search/gp.c tools/search/import.c tools/search/journal.c tools/search/journal_read.c \
    tools/search/journal_write.c tools/search/point.c tools/search/prior.c tools/search/rank.c \
    tools/search/report.c tools/search/report_page.c tools/search/rule.c tools/search/run.c tools/search/space.c \
    tools/search/space_change.c tools/search/space_find.c tools/search/spawn.c tools/search/strategies.c \
    tools/search/strategy_exhaustive.c tools/search/strategy_genetic.c tools/search/strategy_model.c \
    tools/search/strategy_random.c tools/search/trial.c tools/search/xml.c
tools_search_libsearch_la_CPPFLAGS = $(AM_CPPFLAGS) -DPKGDATADIR='"$(pkgdatadir)"'
tools_search_libsearch_la_CFLAGS = $(AM_CFLAGS) $(EXPAT_CFLAGS)
tools_search_libsearch_la_LIBADD = tools/report/libpage.la tools/common/libcommon.la models/libatm.la \
    $(EXPAT_LIBS) $(GSL_LIBS) -lm

spacesdir = $(pkgdatadir)/spaces
dist_spaces_DATA = tools/search/spaces/gpfs.json tools/search/spaces/lustre.json tools/search/spaces/plain.json
