## Training: from points to profiles.  No MPI.

noinst_LTLIBRARIES += tune/train/libtrain.la
tune_train_libtrain_la_SOURCES = tune/train/fit_cache.c tune/train/fit_drain.c tune/train/fit_forest.c \
    tune/train/fit_knn.c tune/train/fit_linear.c tune/train/fit_mlp.c tune/train/fit_rules.c \
    tune/train/fit_svr.c tune/train/gather.c tune/train/grow.c tune/train/learn.c tune/train/local.c \
    tune/train/notes.c tune/train/outside.c tune/train/outside_law.c tune/train/outside_places.c \
    tune/train/outside_prior.c tune/train/parallel.c tune/train/points.c tune/train/prep.c tune/train/race.c \
    tune/train/race_choose.c tune/train/refit.c tune/train/runs.c tune/train/scale.c tune/train/scale_law.c \
    tune/train/train.c tune/train/train_paper.c tune/train/train_profile.c tune/train/train_score.c \
    tune/train/trainers.c
tune_train_libtrain_la_CFLAGS = $(AM_CFLAGS) -pthread $(VECTORIZE)
tune_train_libtrain_la_LIBADD = tools/common/libcommon.la models/libatm.la $(GSL_LIBS) $(SVM_LIBS) -lm -lpthread
