bin_PROGRAMS += tools/write/autotune-write
dist_man_MANS += doc/autotune-write.1
TESTS += test/tools/write.sh

tools_write_autotune_write_SOURCES = tools/write/write.c tools/write/write_print.c
tools_write_autotune_write_LDADD = tools/common/libcommon.la $(MPI_LIBS)
