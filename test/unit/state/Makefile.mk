## Tests of storage state: traces, mixtures, features, classifiers.  No MPI.

TESTS += test/unit/state/state.sh
state_tests = test/unit/state/test_classifier test/unit/state/test_features test/unit/state/test_learn \
    test/unit/state/test_libraries test/unit/state/test_loaded test/unit/state/test_mixture \
    test/unit/state/test_score test/unit/state/test_trace
check_PROGRAMS += $(state_tests)
$(state_tests): site/state/libstate.la
test/unit/state/%: LDADD = site/state/libstate.la $(CMOCKA_LIBS) $(SVM_LIBS) $(XGBOOST_LIBS) -lm
test_unit_state_test_learn_SOURCES = test/unit/state/test_learn.c test/unit/state/synthetic_state.c
test_unit_state_test_libraries_CPPFLAGS = $(AM_CPPFLAGS) $(XGBOOST_CPPFLAGS)
test_unit_state_test_loaded_SOURCES = test/unit/state/test_loaded.c test/unit/state/loaded_state.c
