## Tests for a real Lustre, run over the stand-in.

TESTS += test/lustre/lustre-real.sh
check_PROGRAMS += test/lustre/osts
test_lustre_osts_SOURCES = test/lustre/osts.c
test_lustre_osts_CPPFLAGS = -D_GNU_SOURCE $(AM_CPPFLAGS)
