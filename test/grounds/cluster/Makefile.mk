## A small cluster in namespaces of this machine.

TESTS += test/grounds/cluster/cluster.sh
check_PROGRAMS += test/grounds/cluster/across test/grounds/cluster/shared
