## libautotune-watch.so in programs.

if HAVE_WATCH
TESTS += test/watch/watch.sh test/watch/mpi.sh test/watch/strace.sh test/watch/faults.sh test/watch/tuned.sh \
    test/watch/netcdf.sh test/watch/static.sh \
    test/tools/run-watch.sh
check_PROGRAMS += test/watch/calls test/watch/cases test/watch/dump test/watch/faults test/watch/mpi
test_watch_mpi_LDADD = $(mpi_libs)
if HAVE_HDF5
check_PROGRAMS += test/watch/hdf5 test/watch/tuned
test_watch_hdf5_CPPFLAGS = $(AM_CPPFLAGS) $(HDF5_CPPFLAGS)
test_watch_hdf5_LDADD = $(HDF5_LIBS) $(mpi_libs)
test_watch_tuned_CPPFLAGS = $(AM_CPPFLAGS) -DWITH_MPI $(HDF5_CPPFLAGS)
test_watch_tuned_LDADD = $(HDF5_LIBS) $(mpi_libs)
endif HAVE_HDF5
endif HAVE_WATCH
