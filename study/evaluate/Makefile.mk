## autotune-evaluate, and the results of all grounds.  No MPI.

noinst_LTLIBRARIES += study/evaluate/libevaluate.la
study_evaluate_libevaluate_la_SOURCES = study/evaluate/baselines.c study/evaluate/black_box.c \
    study/evaluate/goals.c study/evaluate/hybrid.c study/evaluate/noise.c study/evaluate/noisy.c \
    study/evaluate/ompio.c study/evaluate/overview.c study/evaluate/paper.c study/evaluate/placing.c \
    study/evaluate/percent.c study/evaluate/question_accuracy.c study/evaluate/question_goals.c \
    study/evaluate/question_instances.c study/evaluate/question_noise.c study/evaluate/question_noisy.c \
    study/evaluate/question_paper.c study/evaluate/question_points.c study/evaluate/question_strategies.c \
    study/evaluate/question_table2.c study/evaluate/question_variants.c study/evaluate/questions.c \
    study/evaluate/results.c study/evaluate/results_figure.c study/evaluate/results_rules.c \
    study/evaluate/spread.c study/evaluate/rivals.c study/evaluate/study.c study/evaluate/summary.c \
    study/evaluate/sweep.c study/evaluate/sweep_config.c study/evaluate/conditions.c tools/report/report_table.c

evaluate_libs = study/evaluate/libevaluate.la tune/train/libtrain.la tools/report/libpage.la \
    tools/common/libcommon.la models/libatm.la

check_PROGRAMS += study/evaluate/autotune-evaluate
study_evaluate_autotune_evaluate_SOURCES = study/evaluate/evaluate.c
study_evaluate_autotune_evaluate_LDADD = $(evaluate_libs) -lm

NIGHTLY += study/evaluate/evaluate.sh
check_PROGRAMS += study/evaluate/test_evaluate
study_evaluate_test_evaluate_LDADD = $(evaluate_libs) $(CMOCKA_LIBS) -lm

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
