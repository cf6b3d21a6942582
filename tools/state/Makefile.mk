## Storage state: from traces to a state model and a state.  No MPI.

noinst_LTLIBRARIES += tools/state/libstate.la
tools_state_libstate_la_SOURCES = tools/state/episodes.c tools/state/even.c tools/state/features.c \
    tools/state/fit.c tools/state/learn.c tools/state/learn_boosting.c tools/state/learn_choose.c \
    tools/state/learn_document.c tools/state/learn_latency.c tools/state/learn_markov.c tools/state/learn_mlp.c \
    tools/state/learn_simple.c tools/state/learn_svm.c tools/state/learn_trees.c tools/state/learners.c \
    tools/state/mixture.c tools/state/model.c tools/state/rows.c tools/state/say.c tools/state/score.c \
    tools/state/trace.c tools/state/trace_files.c tools/state/trace_line.c tools/state/trace_read.c
tools_state_libstate_la_CPPFLAGS = $(AM_CPPFLAGS) $(XGBOOST_CPPFLAGS)
tools_state_libstate_la_CFLAGS = $(AM_CFLAGS) -pthread $(VECTORIZE)
tools_state_libstate_la_LIBADD = tools/train/libtrain.la tools/common/libcommon.la models/libatm.la \
    $(GSL_LIBS) $(SVM_LIBS) $(XGBOOST_LIBS) -lm -lpthread
