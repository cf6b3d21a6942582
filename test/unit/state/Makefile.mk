## Tests of storage state: traces, mixtures, features, classifiers.  No MPI.

state_cppflags = $(tool_cppflags) -I$(top_srcdir)/test
state_ldadd = tools/state/libstate.la $(CMOCKA_LIBS) -lm

TESTS += test/unit/state/state.sh

check_PROGRAMS += test/unit/state/test_trace
test_unit_state_test_trace_SOURCES = test/unit/state/test_trace.c
test_unit_state_test_trace_CPPFLAGS = $(state_cppflags)
test_unit_state_test_trace_LDADD = $(state_ldadd)

check_PROGRAMS += test/unit/state/test_mixture
test_unit_state_test_mixture_SOURCES = test/unit/state/test_mixture.c
test_unit_state_test_mixture_CPPFLAGS = $(state_cppflags)
test_unit_state_test_mixture_LDADD = $(state_ldadd)

check_PROGRAMS += test/unit/state/test_features
test_unit_state_test_features_SOURCES = test/unit/state/test_features.c
test_unit_state_test_features_CPPFLAGS = $(state_cppflags)
test_unit_state_test_features_LDADD = $(state_ldadd)

check_PROGRAMS += test/unit/state/test_classifier
test_unit_state_test_classifier_SOURCES = test/unit/state/test_classifier.c
test_unit_state_test_classifier_CPPFLAGS = $(state_cppflags)
test_unit_state_test_classifier_LDADD = $(state_ldadd)

check_PROGRAMS += test/unit/state/test_learn
test_unit_state_test_learn_SOURCES = test/unit/state/test_learn.c test/unit/state/synthetic_state.c \
    test/unit/state/synthetic_state.h
test_unit_state_test_learn_CPPFLAGS = $(state_cppflags)
test_unit_state_test_learn_LDADD = $(state_ldadd)

check_PROGRAMS += test/unit/state/test_loaded
test_unit_state_test_loaded_SOURCES = test/unit/state/test_loaded.c test/unit/state/loaded_state.c \
    test/unit/state/loaded_state.h
test_unit_state_test_loaded_CPPFLAGS = $(state_cppflags)
test_unit_state_test_loaded_LDADD = $(state_ldadd)

check_PROGRAMS += test/unit/state/test_libraries
test_unit_state_test_libraries_SOURCES = test/unit/state/test_libraries.c
test_unit_state_test_libraries_CPPFLAGS = $(state_cppflags) $(XGBOOST_CPPFLAGS)
test_unit_state_test_libraries_LDADD = $(state_ldadd) $(SVM_LIBS) $(XGBOOST_LIBS)

check_PROGRAMS += test/unit/state/test_score
test_unit_state_test_score_SOURCES = test/unit/state/test_score.c
test_unit_state_test_score_CPPFLAGS = $(state_cppflags)
test_unit_state_test_score_LDADD = $(state_ldadd)
