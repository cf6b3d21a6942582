## What proves the product, and what no user runs: README.md.

include study/evaluate/Makefile.mk
include study/lustre/Makefile.mk
include study/scaling/Makefile.mk
include study/search/Makefile.mk
include study/workloads/Makefile.mk
include study/state/Makefile.mk
include study/vesta/Makefile.mk
NIGHTLY += study/cluster/study.sh
