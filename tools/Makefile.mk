## What users run, a folder for each program; common/ is what they share.
## Reading order: calibrate, train, autotune; report draws pages for both.

include tools/common/Makefile.mk
include tools/report/Makefile.mk
include tools/train/Makefile.mk
include tools/state/Makefile.mk
include tools/history/Makefile.mk
include tools/serve/Makefile.mk
include tools/search/Makefile.mk
include tools/autotune/Makefile.mk
include tools/calibrate/Makefile.mk
include tools/probe/Makefile.mk
include tools/collect/Makefile.mk
include tools/write/Makefile.mk
