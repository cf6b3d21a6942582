# Compile the upstream test programs into $(suite_bin):
#   make -s -f programs.mk PROGRAMS="romio/simple io/async ..."
# with MPICC, MPICH_SOURCE, MPICH_BUILD, suite_bin and top_srcdir in the
# environment.  Upstream's warnings are not ours, hence -w.

bin := $(suite_bin)
romio := src/mpi/romio/test
mpi := $(MPICH_SOURCE)/test/mpi
mtest := $(addprefix $(mpi)/util/,mtest.c mtest_common.c mtest_single.c)
mtest_flags := -I$(top_srcdir)/test/driver/suite -I$(mpi)/include

# A new MPI installation may bring a new mpi.h
deps := $(shell command -v $(firstword $(MPICC))) $(top_srcdir)/test/driver/suite/programs.mk
compile = $(MPICC) -O1 -w -o $@

all: $(addprefix $(bin)/,$(PROGRAMS))

# Its array of 14 GB is written into the source
$(bin)/romio/coll_perf: $(MPICH_SOURCE)/$(romio)/coll_perf.c $(deps)
	@mkdir -p $(@D)
	sed 's/= 128 \*/= 8 */' $< > $@.c
	$(compile) $@.c

# Opens /tmp/datafile, which no stand-in covers and two runs would share
$(bin)/errors/file_errhdl: $(mpi)/errors/io/file_errhdl.c $(mtest) $(deps)
	@mkdir -p $(@D)
	sed 's,/tmp/datafile,datafile,' $< > $@.c
	$(compile) $(mtest_flags) $@.c $(mtest)

$(bin)/romio/%: $(MPICH_SOURCE)/$(romio)/%.c $(deps)
	@mkdir -p $(@D)
	$(compile) $< -lm

# misc.c is made by configure
$(bin)/romio/%: $(MPICH_BUILD)/$(romio)/%.c $(deps)
	@mkdir -p $(@D)
	$(compile) $<

$(bin)/io/%: $(mpi)/io/%.c $(mtest) $(deps)
	@mkdir -p $(@D)
	$(compile) $(mtest_flags) $< $(mtest)

$(bin)/errors/%: $(mpi)/errors/io/%.c $(mtest) $(deps)
	@mkdir -p $(@D)
	$(compile) $(mtest_flags) $< $(mtest)

.DELETE_ON_ERROR:
