## Other releases of Debian, in roots that debootstrap makes.

NIGHTLY += test/grounds/debians/debians.sh
