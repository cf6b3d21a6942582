## autotune explain --record, autotune compare.

tools_autotune_SOURCES += \
    tools/autotune_compare.c \
    tools/compare_run.c \
    tools/compare_run.h \
    tools/explain_record.c \
    tools/explain_record.h \
    tools/explain_record_page.c \
    tools/explain_record_summary.c \
    tools/explain_record_text.c \
    tools/outcome.c \
    tools/outcome.h \
    tools/records.c \
    tools/records.h \
    tools/stats.c \
    tools/stats.h

dist_man_MANS += doc/autotune-compare.1
EXTRA_DIST += doc/guide

TESTS += test/tools/record.sh test/tools/compare.sh
check_PROGRAMS += test/tools/test_stats
test_tools_test_stats_SOURCES = test/tools/test_stats.c tools/stats.c tools/stats.h
test_tools_test_stats_CPPFLAGS = -D_GNU_SOURCE $(AM_CPPFLAGS) -I$(top_srcdir)/tools
test_tools_test_stats_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_tools_test_stats_LDADD = $(CMOCKA_LIBS) -lm
