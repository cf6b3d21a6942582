## Workloads: programs to measure with, and the test that they do what they say.

NIGHTLY += study/workloads/workloads.sh

check_LTLIBRARIES += study/workloads/libworkload.la
study_workloads_libworkload_la_SOURCES = study/workloads/workload.c study/workloads/workload_fill.c \
    study/workloads/workload_report.c
study_workloads_libworkload_la_LIBADD = tools/common/libcommon.la

check_PROGRAMS += study/workloads/pattern
study_workloads_pattern_SOURCES = study/workloads/pattern.c study/workloads/patterns.c
study_workloads_pattern_LDADD = study/workloads/libworkload.la $(MPI_LIBS)

if HAVE_HDF5
kernel_sources = study/workloads/kernel.c study/workloads/kernel_file.c
kernel_libs = study/workloads/libworkload.la $(HDF5_LIBS) $(MPI_LIBS) -lm
check_PROGRAMS += study/workloads/vpic study/workloads/vorpal study/workloads/gcrm
study_workloads_vpic_SOURCES = study/workloads/vpic.c $(kernel_sources)
study_workloads_vpic_CPPFLAGS = $(AM_CPPFLAGS) $(HDF5_CPPFLAGS)
study_workloads_vpic_LDADD = $(kernel_libs)
study_workloads_vorpal_SOURCES = study/workloads/vorpal.c $(kernel_sources)
study_workloads_vorpal_CPPFLAGS = $(AM_CPPFLAGS) $(HDF5_CPPFLAGS)
study_workloads_vorpal_LDADD = $(kernel_libs)
study_workloads_gcrm_SOURCES = study/workloads/gcrm.c $(kernel_sources)
study_workloads_gcrm_CPPFLAGS = $(AM_CPPFLAGS) $(HDF5_CPPFLAGS)
study_workloads_gcrm_LDADD = $(kernel_libs)
endif
