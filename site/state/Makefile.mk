## Storage state: from traces to a state model and a state.  No MPI.

noinst_LTLIBRARIES += site/state/libstate.la
site_state_libstate_la_SOURCES = site/state/episodes.c site/state/even.c site/state/features.c \
    site/state/fit_classifier.c site/state/learn_classifier.c site/state/learn_boosting.c site/state/learn_choose.c \
    site/state/learn_document.c site/state/learn_latency.c site/state/learn_markov.c site/state/learn_mlp.c \
    site/state/learn_simple.c site/state/learn_svm.c site/state/learn_trees.c site/state/learners.c \
    site/state/mixture.c site/state/model.c site/state/rows.c site/state/state_say.c site/state/score.c \
    site/state/trace.c site/state/trace_files.c site/state/trace_line.c site/state/trace_read.c
site_state_libstate_la_CPPFLAGS = $(AM_CPPFLAGS) $(XGBOOST_CPPFLAGS)
site_state_libstate_la_CFLAGS = $(AM_CFLAGS) -pthread $(VECTORIZE)
site_state_libstate_la_LIBADD = tune/train/libtrain.la tools/common/libcommon.la models/libatm.la \
    $(GSL_LIBS) $(SVM_LIBS) $(XGBOOST_LIBS) -lm -lpthread
