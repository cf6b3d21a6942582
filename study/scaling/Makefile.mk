## How well costs of one operation say those of another, on the grounds that are kept.  No MPI.

TESTS += study/scaling/scaling.sh
check_PROGRAMS += study/scaling/scaling
study_scaling_scaling_SOURCES = study/scaling/scaling.c
study_scaling_scaling_CPPFLAGS = $(study_cppflags)
study_scaling_scaling_LDADD = tools/train/libtrain.la tools/common/libcommon.la models/libatm.la $(GSL_LIBS) -lm

SCALING_GROUNDS = cluster=study/cluster/data/balanced cluster=study/cluster/data/forwarded \
    cluster=study/cluster/data/racks cluster=study/cluster/data/thin-nodes \
    stand-in=study/standin/data/lustre-timed simulation=study/vesta/data \
    lustre=study/lustre/data/slow-osts lustre=study/lustre/data/slower-osts

scaling: study/scaling/scaling
	study/scaling/scaling `for ground in $(SCALING_GROUNDS); do \
	    echo $${ground%%=*}=$(srcdir)/$${ground#*=}/points.json; done` > scale_table.h
	mv scale_table.h $(srcdir)/tools/train/

.PHONY: scaling
