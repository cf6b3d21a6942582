## Parsers, with any bytes: make fuzz, for FUZZ_SECONDS each of FUZZ_TARGETS (all); and what a check
## replays.

TESTS += test/fuzz/fuzz.sh

FUZZ_SECONDS = 300
FUZZ_DIRECTORY = $(abs_builddir)/fuzz
fuzz_flags = $(AM_CPPFLAGS) -I$(top_srcdir) $(SQLITE_CFLAGS) $(EXPAT_CFLAGS)
fuzz_libraries = site/serve/.libs/libserve.a tune/search/.libs/libsearch.a site/state/.libs/libstate.a \
    site/history/.libs/libhistory.a tools/common/.libs/libcommon.a models/.libs/libatm.a \
    $(SQLITE_LIBS) $(LIBPQ_LIBS) $(EXPAT_LIBS) $(GSL_LIBS) $(JSONC_LIBS) -lm -lpthread
fuzz_run = CC='$(CC)' $(SHELL) $(top_srcdir)/test/fuzz/fuzz $(abs_top_srcdir) $(abs_builddir) $(FUZZ_DIRECTORY) \
    "$(fuzz_flags)" "$(fuzz_libraries)"
fuzz: site/serve/libserve.la tune/search/libsearch.la site/state/libstate.la
	@$(fuzz_run) $(FUZZ_SECONDS)
fuzz-replay:
	@$(fuzz_run)

.PHONY: fuzz fuzz-replay
