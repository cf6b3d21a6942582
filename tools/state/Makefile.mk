## Storage state: from traces to a state model and a state.  No MPI.

noinst_LTLIBRARIES += tools/state/libstate.la
tools_state_libstate_la_SOURCES = \
    tools/state/features.h \
    tools/state/mixture.h \
    tools/state/trace.h \
    tools/state/features.c \
    tools/state/mixture.c \
    tools/state/trace.c \
    tools/state/trace_line.c \
    tools/state/trace_read.c
tools_state_libstate_la_CPPFLAGS = $(tool_cppflags)
tools_state_libstate_la_CFLAGS = $(AM_CFLAGS) -pthread $(VECTORIZE)
tools_state_libstate_la_LIBADD = tools/train/libtrain.la tools/common/libcommon.la models/libatm.la -lm
