## libromio-autotune.so: the ROMIO of our MPICH for programs whose MPI library is another.

preload_slots = preload/slots.inc preload/slots.h preload/functions.h preload/renames preload/exports.map \
    preload/either.inc preload/either-names.h preload/openmpi-renames
CLEANFILES += $(preload_slots) preload/libromio-autotune.so

if HAVE_PRELOAD
noinst_LTLIBRARIES += preload/libhost.la
preload_variant = preload/datatypes.c preload/errhandlers.c preload/error_codes.c preload/functions.c preload/large.c \
    preload/layout.c preload/one_thread.c
preload_libhost_la_SOURCES = preload/host.c preload/slots.S preload/wishes.c $(preload_variant)
preload_libhost_la_CPPFLAGS = -D_GNU_SOURCE -Ipreload $(MPI_CPPFLAGS) -I$(mpich)/main/src/include
preload_libhost_la_CCASFLAGS = -Ipreload -Wa,--debug-prefix-map=$(abs_builddir)=.

preload_headers = preload/slots.inc preload/slots.h preload/functions.h preload/messages.inc mpich.stamp
$(preload_libhost_la_OBJECTS): $(preload_headers)
$(preload_slots): preload/slots.stamp
preload/slots.stamp: $(srcdir)/preload/names $(srcdir)/preload/slots.sh
	$(AM_V_GEN)mkdir -p preload && cd preload && $(abs_top_srcdir)/preload/slots.sh $(abs_top_srcdir)/preload/names && \
	    touch slots.stamp
CLEANFILES += preload/slots.stamp preload/messages.inc
preload/messages.inc: $(srcdir)/preload/messages.sh mpich.stamp
	$(AM_V_GEN)$(srcdir)/preload/messages.sh $(mpich)/source > $@.new && mv $@.new $@

preload/libromio-autotune.so: preload/libhost.la $(preload_slots) $(srcdir)/preload/link mpich.stamp
	$(AM_V_GEN)CC="$(CC)" $(srcdir)/preload/link $(mpich)/main $(mpich)/main preload/.libs/libhost.a \
	    preload/renames preload/exports.map $@

preloaddir = $(libdir)
nodist_preload_DATA = preload/libromio-autotune.so

# --- the variant for Open MPI, which that one loads

if HAVE_OPENMPI
noinst_LTLIBRARIES += preload/libopenmpi.la
preload_libopenmpi_la_SOURCES = preload/openmpi/either.S preload/openmpi/own_files.c preload/openmpi/info.c \
    preload/openmpi/polled_requests.c $(preload_variant)
preload_libopenmpi_la_CPPFLAGS = -D_GNU_SOURCE -Ipreload -I$(top_srcdir)/preload -I$(top_srcdir)/preload/openmpi \
    $(OPENMPI_CPPFLAGS) -I$(mpich)/main/src/include -I$(top_srcdir)/ad_autotune
preload_libopenmpi_la_CCASFLAGS = -Ipreload -Wa,--debug-prefix-map=$(abs_builddir)=.
$(preload_libopenmpi_la_OBJECTS): $(preload_headers) preload/cookie.h

# what files of ROMIO begin with
preload/cookie.h: mpich.stamp
	$(AM_V_GEN)sed -n 's/^#define ADIOI_FILE_COOKIE /#define ATP_ROMIO_FILE /p' \
	    $(mpich)/source/src/mpi/romio/adio/include/adio.h > $@.new && mv $@.new $@

openmpi.stamp: mpich.stamp $(srcdir)/preload/openmpi/romio $(srcdir)/preload/openmpi/mpi.h
	@$(srcdir)/preload/openmpi/romio --mpich $(mpich)/main --build $(mpich)/openmpi --jobs $(MPICH_JOBS) \
	    --include "$(OPENMPI_CPPFLAGS)"
	@touch $@

preload/openmpi-exports.map:
	$(AM_V_GEN)mkdir -p preload && echo '{ global: atp_functions; local: *; };' > $@

preload/libromio-autotune-openmpi.so: preload/libopenmpi.la preload/openmpi-renames preload/openmpi-exports.map \
    $(srcdir)/preload/link openmpi.stamp
	$(AM_V_GEN)CC="$(CC)" $(srcdir)/preload/link $(mpich)/main $(mpich)/openmpi preload/.libs/libopenmpi.a \
	    preload/openmpi-renames preload/openmpi-exports.map $@

nodist_preload_DATA += preload/libromio-autotune-openmpi.so
CLEANFILES += openmpi.stamp preload/cookie.h preload/openmpi-exports.map preload/libromio-autotune-openmpi.so
endif HAVE_OPENMPI
endif HAVE_PRELOAD
