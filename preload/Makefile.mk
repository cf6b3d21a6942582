## libromio-autotune.so: the ROMIO of our MPICH for programs whose MPI library is another.

CLEANFILES += preload/slots.inc preload/slots.h preload/renames preload/exports.map preload/libromio-autotune.so

if HAVE_PRELOAD
noinst_LTLIBRARIES += preload/libhost.la
preload_libhost_la_SOURCES = \
    preload/abi.h \
    preload/atp.h \
    preload/datatypes.c \
    preload/errhandlers.c \
    preload/errors.c \
    preload/host.c \
    preload/large.c \
    preload/layout.c \
    preload/layout.h \
    preload/newer.c \
    preload/slots.S \
    preload/threads.c
preload_libhost_la_CPPFLAGS = -D_GNU_SOURCE -Ipreload $(MPI_CPPFLAGS) -I$(mpich)/main/src/include
preload_libhost_la_CFLAGS = $(AM_CFLAGS)
preload_libhost_la_CCASFLAGS = -Ipreload -Wa,--debug-prefix-map=$(abs_builddir)=.

preload_slots = preload/slots.inc preload/slots.h preload/renames preload/exports.map
$(preload_libhost_la_OBJECTS): preload/slots.inc preload/slots.h preload/messages.inc mpich.stamp
$(preload_slots): preload/slots.stamp
preload/slots.stamp: $(srcdir)/preload/names $(srcdir)/preload/slots.sh
	$(AM_V_GEN)mkdir -p preload && cd preload && $(abs_top_srcdir)/preload/slots.sh $(abs_top_srcdir)/preload/names && \
	    touch slots.stamp
CLEANFILES += preload/slots.stamp preload/messages.inc
preload/messages.inc: $(srcdir)/preload/messages.sh mpich.stamp
	$(AM_V_GEN)$(srcdir)/preload/messages.sh $(mpich)/source > $@.new && mv $@.new $@

preload/libromio-autotune.so: preload/libhost.la $(preload_slots) $(srcdir)/preload/link mpich.stamp
	$(AM_V_GEN)CC="$(CC)" $(srcdir)/preload/link $(mpich)/main preload/.libs/libhost.a preload $@

preloaddir = $(libdir)
nodist_preload_DATA = preload/libromio-autotune.so
endif HAVE_PRELOAD
