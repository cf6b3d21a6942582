## Tests of the search: spaces, journals, strategies, results.  No MPI.

TESTS += test/unit/search/search-unit.sh
search_tests = test/unit/search/test_import test/unit/search/test_journal test/unit/search/test_prior \
    test/unit/search/test_result test/unit/search/test_space test/unit/search/test_strategies
check_PROGRAMS += $(search_tests)
$(search_tests): tune/search/libsearch.la
test/unit/search/%: LDADD = tune/search/libsearch.la $(CMOCKA_LIBS) -lm
