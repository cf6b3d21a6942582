bin_PROGRAMS += tools/autotune-write
dist_man_MANS += doc/autotune-write.1

tools_autotune_write_SOURCES = tools/autotune-write.c
tools_autotune_write_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)
tools_autotune_write_LDADD = $(MPI_LIBS)
