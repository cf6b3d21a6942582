## Workloads: programs to measure with, and the test that they do what they say.

TESTS += test/workloads/workloads.sh

workload_cppflags = -D_GNU_SOURCE $(mpi_cppflags) -I$(top_srcdir)/models -I$(top_srcdir)/tools

check_LTLIBRARIES += test/workloads/libworkload.la
test_workloads_libworkload_la_SOURCES = test/workloads/workload.h test/workloads/workload.c \
    test/workloads/workload_fill.c test/workloads/workload_report.c tools/options.h tools/options.c
test_workloads_libworkload_la_CPPFLAGS = $(workload_cppflags)
test_workloads_libworkload_la_LIBADD = models/libatm.la

check_PROGRAMS += test/workloads/pattern
test_workloads_pattern_SOURCES = test/workloads/pattern.c test/workloads/patterns.h \
    test/workloads/patterns.c
test_workloads_pattern_CPPFLAGS = $(workload_cppflags)
test_workloads_pattern_LDADD = test/workloads/libworkload.la $(MPI_LIBS)

if HAVE_HDF5
kernel_sources = test/workloads/kernel.h test/workloads/kernel.c test/workloads/kernel_file.c
kernel_libs = test/workloads/libworkload.la $(HDF5_LIBS) $(MPI_LIBS) -lm
check_PROGRAMS += test/workloads/vpic test/workloads/vorpal test/workloads/gcrm
test_workloads_vpic_SOURCES = test/workloads/vpic.c $(kernel_sources)
test_workloads_vpic_CPPFLAGS = $(workload_cppflags) $(HDF5_CPPFLAGS)
test_workloads_vpic_LDADD = $(kernel_libs)
test_workloads_vorpal_SOURCES = test/workloads/vorpal.c $(kernel_sources)
test_workloads_vorpal_CPPFLAGS = $(workload_cppflags) $(HDF5_CPPFLAGS)
test_workloads_vorpal_LDADD = $(kernel_libs)
test_workloads_gcrm_SOURCES = test/workloads/gcrm.c $(kernel_sources)
test_workloads_gcrm_CPPFLAGS = $(workload_cppflags) $(HDF5_CPPFLAGS)
test_workloads_gcrm_LDADD = $(kernel_libs)
endif
