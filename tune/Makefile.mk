## What whoever tunes a machine or a program runs.

include tune/train/Makefile.mk
include tune/search/Makefile.mk
include tune/calibrate/Makefile.mk
