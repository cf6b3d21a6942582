# Read after the Makefile of a built MPICH: its library with another ROMIO.
# make -f Makefile -f sanitized.mk SANITIZED=DIR SANITIZERS=FLAGS DIR/lib/libmpi.la

sanitized_romio = $(SANITIZED)/src/mpi/romio/libromio.la

$(SANITIZED)/lib/libmpi.la: $(sanitized_romio) $(lib_libmpi_la_OBJECTS) $(pmpi_convenience_libs)
	$(lib_libmpi_la_LINK) $(SANITIZERS) $(am_lib_libmpi_la_rpath) $(lib_libmpi_la_OBJECTS) \
	    $(external_libs) $(pmpi_convenience_libs) $(sanitized_romio) $(LIBS)
