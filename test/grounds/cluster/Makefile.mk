## A small cluster in namespaces of this machine.

TESTS += test/grounds/cluster/cluster.sh
check_PROGRAMS += test/grounds/cluster/across test/grounds/cluster/shared
test_grounds_cluster_across_SOURCES = test/grounds/cluster/across.c
test_grounds_cluster_across_CPPFLAGS = $(mpi_cppflags)
test_grounds_cluster_across_LDADD = $(MPI_LIBS)
test_grounds_cluster_shared_SOURCES = test/grounds/cluster/shared.c test/mpitap.h
test_grounds_cluster_shared_CPPFLAGS = $(mpi_cppflags)
test_grounds_cluster_shared_LDADD = $(MPI_LIBS)
