## Training: from points to profiles.  No MPI.

noinst_LTLIBRARIES += tools/train/libtrain.la
tools_train_libtrain_la_SOURCES = \
    tools/train/fit_cache.h \
    tools/train/gather.h \
    tools/train/grow.h \
    tools/train/learn.h \
    tools/train/local.h \
    tools/train/notes.h \
    tools/train/outside.h \
    tools/train/outside_law.h \
    tools/train/outside_table.h \
    tools/train/parallel.h \
    tools/train/points.h \
    tools/train/prep.h \
    tools/train/race.h \
    tools/train/race_choose.h \
    tools/train/runs.h \
    tools/train/scale.h \
    tools/train/scale_inside.h \
    tools/train/scale_law.h \
    tools/train/scale_table.h \
    tools/train/train.h \
    tools/train/trainer.h \
    tools/train/fit_cache.c \
    tools/train/fit_drain.c \
    tools/train/fit_forest.c \
    tools/train/fit_knn.c \
    tools/train/fit_linear.c \
    tools/train/fit_mlp.c \
    tools/train/fit_rules.c \
    tools/train/fit_svr.c \
    tools/train/gather.c \
    tools/train/grow.c \
    tools/train/learn.c \
    tools/train/local.c \
    tools/train/notes.c \
    tools/train/outside.c \
    tools/train/outside_law.c \
    tools/train/outside_places.c \
    tools/train/outside_prior.c \
    tools/train/parallel.c \
    tools/train/points.c \
    tools/train/prep.c \
    tools/train/race.c \
    tools/train/race_choose.c \
    tools/train/refit.c \
    tools/train/runs.c \
    tools/train/scale.c \
    tools/train/scale_law.c \
    tools/train/train.c \
    tools/train/train_paper.c \
    tools/train/train_profile.c \
    tools/train/train_score.c \
    tools/train/trainers.c
tools_train_libtrain_la_CPPFLAGS = $(tool_cppflags)
tools_train_libtrain_la_CFLAGS = $(AM_CFLAGS) -pthread $(VECTORIZE)
tools_train_libtrain_la_LIBADD = tools/common/libcommon.la models/libatm.la $(GSL_LIBS) $(SVM_LIBS) -lm -lpthread
