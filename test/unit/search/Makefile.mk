## Tests of the search: spaces, journals, strategies, results.  No MPI.

search_cppflags = $(tool_cppflags)
search_ldadd = tools/search/libsearch.la $(CMOCKA_LIBS) -lm

TESTS += test/unit/search/search-unit.sh

check_PROGRAMS += test/unit/search/test_space
test_unit_search_test_space_SOURCES = test/unit/search/test_space.c
test_unit_search_test_space_CPPFLAGS = $(search_cppflags)
test_unit_search_test_space_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_search_test_space_LDADD = $(search_ldadd)

check_PROGRAMS += test/unit/search/test_import
test_unit_search_test_import_SOURCES = test/unit/search/test_import.c
test_unit_search_test_import_CPPFLAGS = $(search_cppflags)
test_unit_search_test_import_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_search_test_import_LDADD = $(search_ldadd)

check_PROGRAMS += test/unit/search/test_journal
test_unit_search_test_journal_SOURCES = test/unit/search/test_journal.c
test_unit_search_test_journal_CPPFLAGS = $(search_cppflags)
test_unit_search_test_journal_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_search_test_journal_LDADD = $(search_ldadd)

check_PROGRAMS += test/unit/search/test_strategies
test_unit_search_test_strategies_SOURCES = test/unit/search/test_strategies.c
test_unit_search_test_strategies_CPPFLAGS = $(search_cppflags)
test_unit_search_test_strategies_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_search_test_strategies_LDADD = $(search_ldadd)

check_PROGRAMS += test/unit/search/test_prior
test_unit_search_test_prior_SOURCES = test/unit/search/test_prior.c
test_unit_search_test_prior_CPPFLAGS = $(search_cppflags)
test_unit_search_test_prior_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_search_test_prior_LDADD = $(search_ldadd)

check_PROGRAMS += test/unit/search/test_result
test_unit_search_test_result_SOURCES = test/unit/search/test_result.c
test_unit_search_test_result_CPPFLAGS = $(search_cppflags)
test_unit_search_test_result_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_search_test_result_LDADD = $(search_ldadd)
