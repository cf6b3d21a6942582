## Tests for a real Lustre, run over the stand-in.

TESTS += test/grounds/lustre/lustre-real.sh
check_PROGRAMS += test/grounds/lustre/osts
test_grounds_lustre_osts_LDADD =
