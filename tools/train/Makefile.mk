## Training: from points to profiles.  No MPI.

noinst_LTLIBRARIES += tools/train/libtrain.la
tools_train_libtrain_la_SOURCES = tools/train/fit_cache.c tools/train/fit_drain.c tools/train/fit_forest.c \
    tools/train/fit_knn.c tools/train/fit_linear.c tools/train/fit_mlp.c tools/train/fit_rules.c \
    tools/train/fit_svr.c tools/train/gather.c tools/train/grow.c tools/train/learn.c tools/train/local.c \
    tools/train/notes.c tools/train/outside.c tools/train/outside_law.c tools/train/outside_places.c \
    tools/train/outside_prior.c tools/train/parallel.c tools/train/points.c tools/train/prep.c tools/train/race.c \
    tools/train/race_choose.c tools/train/refit.c tools/train/runs.c tools/train/scale.c tools/train/scale_law.c \
    tools/train/train.c tools/train/train_paper.c tools/train/train_profile.c tools/train/train_score.c \
    tools/train/trainers.c
tools_train_libtrain_la_CFLAGS = $(AM_CFLAGS) -pthread $(VECTORIZE)
tools_train_libtrain_la_LIBADD = tools/common/libcommon.la models/libatm.la $(GSL_LIBS) $(SVM_LIBS) -lm -lpthread
