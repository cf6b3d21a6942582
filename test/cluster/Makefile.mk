## A small cluster in namespaces of this machine.

TESTS += test/cluster/cluster.sh test/cluster/study.sh
check_PROGRAMS += test/cluster/shared
test_cluster_shared_SOURCES = test/cluster/shared.c test/mpitap.h
test_cluster_shared_CPPFLAGS = $(mpi_cppflags)
test_cluster_shared_LDADD = $(MPI_LIBS)
