## Landscapes of kernels, and searches replayed on them.  No MPI.

NIGHTLY += study/search/replay.sh study/search/measure.sh

check_PROGRAMS += study/search/replay
study_search_replay_SOURCES = study/search/landscape.c study/search/replay.c
study_search_replay_LDADD = tune/search/libsearch.la -lm

check_PROGRAMS += study/search/predict
study_search_predict_SOURCES = study/search/landscape.c study/search/landscape_model.c
study_search_predict_LDADD = tune/search/libsearch.la -lm
