## autotune-evaluate, and the results of all grounds.  No MPI.

noinst_LTLIBRARIES += study/evaluate/libevaluate.la
study_evaluate_libevaluate_la_SOURCES = \
    study/evaluate/baselines.c \
    study/evaluate/baselines.h \
    study/evaluate/black_box.c \
    study/evaluate/black_box.h \
    study/evaluate/goals.c \
    study/evaluate/goals.h \
    study/evaluate/hybrid.c \
    study/evaluate/hybrid.h \
    study/evaluate/noise.c \
    study/evaluate/noise.h \
    study/evaluate/noisy.c \
    study/evaluate/noisy.h \
    study/evaluate/ompio.c \
    study/evaluate/ompio.h \
    study/evaluate/overview.c \
    study/evaluate/paper.c \
    study/evaluate/paper.h \
    study/evaluate/placing.c \
    study/evaluate/placing.h \
    study/evaluate/progress.c \
    study/evaluate/progress.h \
    study/evaluate/question_accuracy.c \
    study/evaluate/question_goals.c \
    study/evaluate/question_instances.c \
    study/evaluate/question_noise.c \
    study/evaluate/question_noisy.c \
    study/evaluate/question_paper.c \
    study/evaluate/question_points.c \
    study/evaluate/question_strategies.c \
    study/evaluate/question_table2.c \
    study/evaluate/question_variants.c \
    study/evaluate/questions.c \
    study/evaluate/questions.h \
    study/evaluate/results.c \
    study/evaluate/results.h \
    study/evaluate/results_figure.c \
    study/evaluate/results_rules.c \
    study/evaluate/spread.c \
    study/evaluate/spread.h \
    study/evaluate/strategies.c \
    study/evaluate/strategies.h \
    study/evaluate/study.c \
    study/evaluate/study.h \
    study/evaluate/summary.c \
    study/evaluate/sweep.c \
    study/evaluate/sweep.h \
    study/evaluate/sweep_config.c \
    study/evaluate/sweep_parts.h \
    study/evaluate/variants.c \
    study/evaluate/variants.h \
    tools/report/report.h \
    tools/report/report_table.c
study_evaluate_libevaluate_la_CPPFLAGS = $(study_cppflags)
study_evaluate_libevaluate_la_CFLAGS = $(AM_CFLAGS)

check_PROGRAMS += study/evaluate/autotune-evaluate
study_evaluate_autotune_evaluate_SOURCES = study/evaluate/evaluate.c
study_evaluate_autotune_evaluate_CPPFLAGS = $(study_cppflags)
study_evaluate_autotune_evaluate_LDADD = study/evaluate/libevaluate.la tools/train/libtrain.la \
    tools/report/libpage.la tools/common/libcommon.la models/libatm.la -lm

NIGHTLY += study/evaluate/evaluate.sh
check_PROGRAMS += study/evaluate/test_evaluate
study_evaluate_test_evaluate_SOURCES = study/evaluate/test_evaluate.c
study_evaluate_test_evaluate_CPPFLAGS = $(study_cppflags)
study_evaluate_test_evaluate_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
study_evaluate_test_evaluate_LDADD = study/evaluate/libevaluate.la tools/train/libtrain.la \
    tools/report/libpage.la tools/common/libcommon.la models/libatm.la $(CMOCKA_LIBS) -lm

# --- doc/results* from the grounds that are kept: make results [GROUNDS="DIRECTORY..."]

GROUNDS = $(srcdir)/study/vesta/data $(srcdir)/study/standin/data/lustre-timed \
    $(srcdir)/study/cluster/data/balanced $(srcdir)/study/cluster/data/forwarded \
    $(srcdir)/study/cluster/data/thin-nodes $(srcdir)/study/cluster/data/racks \
    $(srcdir)/study/lustre/data/slow-osts

results: study/evaluate/autotune-evaluate
	study/evaluate/autotune-evaluate $(GROUNDS) --noisy 3 --markdown $(srcdir)/doc/results-appendix.md \
	    --results $(srcdir)/doc/results.md --figure $(srcdir)/doc/results.svg
	cat $(srcdir)/study/limits.md >> $(srcdir)/doc/results.md

.PHONY: results
