## How well costs of one operation say those of another, on the grounds that are kept.  No MPI.

NIGHTLY += study/scaling/scaling.sh
check_PROGRAMS += study/scaling/scaling
study_scaling_scaling_LDADD = tools/train/libtrain.la tools/common/libcommon.la models/libatm.la $(GSL_LIBS) -lm

check_PROGRAMS += study/scaling/outside
study_scaling_outside_LDADD = tools/train/libtrain.la tools/common/libcommon.la models/libatm.la $(GSL_LIBS) -lm

SCALING_GROUNDS = cluster=study/cluster/data/balanced cluster=study/cluster/data/forwarded \
    cluster=study/cluster/data/racks cluster=study/cluster/data/thin-nodes \
    stand-in=study/standin/data/lustre-timed simulation=study/vesta/data \
    lustre=study/lustre/data/slow-osts lustre=study/lustre/data/slower-osts

# Training takes its time: two shapes of the cluster.
OUTSIDE_GROUNDS = cluster=study/cluster/data/balanced cluster=study/cluster/data/racks \
    stand-in=study/standin/data/lustre-timed simulation=study/vesta/data \
    lustre=study/lustre/data/slow-osts lustre=study/lustre/data/slower-osts

# $(call points_of,GROUNDS)
points_of = $(foreach ground,$(1),$(subst =,=$(srcdir)/,$(ground))/points.json)

scaling: study/scaling/scaling study/scaling/outside
	study/scaling/scaling $(call points_of,$(SCALING_GROUNDS)) > scale_table.h
	study/scaling/outside $(call points_of,$(OUTSIDE_GROUNDS)) > outside_table.h
	mv scale_table.h outside_table.h $(srcdir)/tools/train/

.PHONY: scaling
