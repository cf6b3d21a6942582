## How well costs of one operation say those of another, on the grounds that are kept.  No MPI.

NIGHTLY += study/scaling/scaling.sh
check_PROGRAMS += study/scaling/scaling
study_scaling_scaling_LDADD = tune/train/libtrain.la tools/common/libcommon.la models/libatm.la $(GSL_LIBS) -lm

check_PROGRAMS += study/scaling/leave_out
study_scaling_leave_out_LDADD = tune/train/libtrain.la tools/common/libcommon.la models/libatm.la $(GSL_LIBS) -lm

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

scaling: study/scaling/scaling study/scaling/leave_out
	study/scaling/scaling $(call points_of,$(SCALING_GROUNDS)) > scale_table.h
	study/scaling/leave_out $(call points_of,$(OUTSIDE_GROUNDS)) > outside_table.h
	mv scale_table.h outside_table.h $(srcdir)/tune/train/

.PHONY: scaling
