## autotune evaluate, and the results of all grounds.  No MPI.

noinst_LTLIBRARIES += tools/evaluate/libevaluate.la
tools_evaluate_libevaluate_la_SOURCES = \
    tools/evaluate/black_box.c \
    tools/evaluate/black_box.h \
    tools/evaluate/goals.c \
    tools/evaluate/goals.h \
    tools/evaluate/hybrid.c \
    tools/evaluate/hybrid.h \
    tools/evaluate/noise.c \
    tools/evaluate/noise.h \
    tools/evaluate/overview.c \
    tools/evaluate/paper.c \
    tools/evaluate/paper.h \
    tools/evaluate/progress.c \
    tools/evaluate/progress.h \
    tools/evaluate/question_accuracy.c \
    tools/evaluate/question_goals.c \
    tools/evaluate/question_instances.c \
    tools/evaluate/question_noise.c \
    tools/evaluate/question_paper.c \
    tools/evaluate/question_points.c \
    tools/evaluate/question_strategies.c \
    tools/evaluate/question_table2.c \
    tools/evaluate/question_variants.c \
    tools/evaluate/questions.c \
    tools/evaluate/questions.h \
    tools/evaluate/spread.c \
    tools/evaluate/spread.h \
    tools/evaluate/strategies.c \
    tools/evaluate/strategies.h \
    tools/evaluate/study.c \
    tools/evaluate/study.h \
    tools/evaluate/summary.c \
    tools/evaluate/sweep.c \
    tools/evaluate/sweep.h \
    tools/evaluate/sweep_config.c \
    tools/evaluate/sweep_parts.h \
    tools/evaluate/variants.c \
    tools/evaluate/variants.h \
    tools/report/report.h \
    tools/report/report_table.c \
    tools/stats.c \
    tools/stats.h
evaluate_cppflags = -D_GNU_SOURCE -I$(top_srcdir)/models -I$(top_srcdir)/tools \
    -I$(top_srcdir)/tools/train -I$(top_srcdir)/tools/report -I$(top_srcdir)/tools/evaluate
tools_evaluate_libevaluate_la_CPPFLAGS = $(evaluate_cppflags)
tools_evaluate_libevaluate_la_CFLAGS = $(AM_CFLAGS)

tools_autotune_SOURCES += tools/autotune_evaluate.c
tools_autotune_LDADD += tools/evaluate/libevaluate.la tools/train/libtrain.la \
    tools/report/libpage.la models/libatm.la -lm
dist_man_MANS += doc/autotune-evaluate.1

TESTS += test/tools/evaluate.sh
check_PROGRAMS += test/tools/test_evaluate
test_tools_test_evaluate_SOURCES = test/tools/test_evaluate.c
test_tools_test_evaluate_CPPFLAGS = $(AM_CPPFLAGS) $(evaluate_cppflags)
test_tools_test_evaluate_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_tools_test_evaluate_LDADD = tools/evaluate/libevaluate.la tools/train/libtrain.la \
    tools/report/libpage.la models/libatm.la $(CMOCKA_LIBS) -lm

# --- doc/results.md from the grounds that are kept: make results [GROUNDS="DIRECTORY..."]

GROUNDS = $(srcdir)/test/vesta/data $(srcdir)/test/standin/data/lustre-timed \
    $(srcdir)/test/cluster/data/balanced $(srcdir)/test/cluster/data/forwarded \
    $(srcdir)/test/cluster/data/thin-nodes

results: tools/autotune
	tools/autotune evaluate $(GROUNDS) --markdown $(srcdir)/doc/results.md

.PHONY: results
