## Tests of serve: addresses, guard, escaping, pages.  No MPI, no network.

TESTS += test/unit/serve/serve-unit.sh
serve_tests = test/unit/serve/test_answer test/unit/serve/test_ask test/unit/serve/test_guard \
    test/unit/serve/test_places test/unit/serve/test_sorted
check_PROGRAMS += $(serve_tests)
$(serve_tests): site/serve/libserve.la
test/unit/serve/%: LDADD = site/serve/libserve.la $(CMOCKA_LIBS) -lm

# Spools with hostile texts, for test_answer, test_sorted and the shell test
check_PROGRAMS += test/unit/serve/make_spools
test_unit_serve_make_spools_LDADD =
