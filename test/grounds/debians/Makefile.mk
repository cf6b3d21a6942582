## Other releases of Debian, in roots that debootstrap makes.

TESTS += test/grounds/debians/debians.sh
