## Tests of serve: addresses, guard, escaping, pages.  No MPI, no network.

serve_cppflags = $(tool_cppflags) -I$(top_srcdir) -I$(top_srcdir)/test
serve_ldadd = tools/serve/libserve.la $(CMOCKA_LIBS) -lm

TESTS += test/unit/serve/serve-unit.sh

check_PROGRAMS += test/unit/serve/test_ask
test_unit_serve_test_ask_SOURCES = test/unit/serve/test_ask.c
test_unit_serve_test_ask_CPPFLAGS = $(serve_cppflags)
test_unit_serve_test_ask_LDADD = $(serve_ldadd)

check_PROGRAMS += test/unit/serve/test_guard
test_unit_serve_test_guard_SOURCES = test/unit/serve/test_guard.c
test_unit_serve_test_guard_CPPFLAGS = $(serve_cppflags)
test_unit_serve_test_guard_LDADD = $(serve_ldadd)

check_PROGRAMS += test/unit/serve/test_places
test_unit_serve_test_places_SOURCES = test/unit/serve/test_places.c
test_unit_serve_test_places_CPPFLAGS = $(serve_cppflags)
test_unit_serve_test_places_LDADD = $(serve_ldadd)

check_PROGRAMS += test/unit/serve/test_answer
test_unit_serve_test_answer_SOURCES = test/unit/serve/test_answer.c \
    test/unit/serve/serve_help.h test/unit/history/history_help.h test/unit/history/spool_help.h
test_unit_serve_test_answer_CPPFLAGS = $(serve_cppflags)
test_unit_serve_test_answer_LDADD = $(serve_ldadd)

check_PROGRAMS += test/unit/serve/test_sorted
test_unit_serve_test_sorted_SOURCES = test/unit/serve/test_sorted.c \
    test/unit/serve/serve_help.h test/unit/history/history_help.h
test_unit_serve_test_sorted_CPPFLAGS = $(serve_cppflags)
test_unit_serve_test_sorted_LDADD = $(serve_ldadd)

# Spools with hostile texts, for test_answer, test_sorted and the shell test
check_PROGRAMS += test/unit/serve/make_spools
test_unit_serve_make_spools_SOURCES = test/unit/serve/make_spools.c test/unit/history/spool_help.h
test_unit_serve_make_spools_CPPFLAGS = $(serve_cppflags)
