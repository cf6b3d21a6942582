## libautotune-watch.so in programs.

if HAVE_WATCH
TESTS += test/watch/watch.sh test/watch/mpi.sh test/watch/strace.sh test/watch/faults.sh test/watch/tuned.sh \
    test/watch/netcdf.sh test/watch/static.sh \
    test/tools/run-watch.sh
check_PROGRAMS += test/watch/calls test/watch/cases test/watch/dump test/watch/faults test/watch/mpi
test_watch_calls_SOURCES = test/watch/calls.c
test_watch_calls_CPPFLAGS = -D_GNU_SOURCE
test_watch_calls_LDADD = -lpthread
test_watch_cases_SOURCES = test/watch/cases.c
test_watch_cases_CPPFLAGS = -D_GNU_SOURCE
test_watch_cases_LDADD = -lpthread
test_watch_dump_SOURCES = test/watch/dump.c watch/atw.h watch/spool_format.h
test_watch_dump_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir)/watch
test_watch_faults_SOURCES = test/watch/faults.c
test_watch_faults_CPPFLAGS = -D_GNU_SOURCE
test_watch_faults_LDADD = -lpthread
test_watch_mpi_SOURCES = test/watch/mpi.c
test_watch_mpi_CPPFLAGS = $(mpi_cppflags)
test_watch_mpi_LDADD = $(MPI_LIBS) -lpthread
if HAVE_HDF5
check_PROGRAMS += test/watch/hdf5
test_watch_hdf5_SOURCES = test/watch/hdf5.c
test_watch_hdf5_CPPFLAGS = $(mpi_cppflags) $(HDF5_CPPFLAGS)
test_watch_hdf5_LDADD = $(HDF5_LIBS) $(MPI_LIBS)
check_PROGRAMS += test/watch/tuned
test_watch_tuned_SOURCES = test/watch/tuned.c test/watch/tuned.h test/watch/tuned_lists.h
test_watch_tuned_CPPFLAGS = -D_GNU_SOURCE -DWITH_MPI -I$(top_srcdir)/models $(mpi_cppflags) $(HDF5_CPPFLAGS)
test_watch_tuned_LDADD = $(HDF5_LIBS) $(MPI_LIBS)
endif HAVE_HDF5
endif HAVE_WATCH
