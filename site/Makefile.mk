## What a site runs.

include site/state/Makefile.mk
include site/history/Makefile.mk
include site/serve/Makefile.mk
include site/probe/Makefile.mk
include site/collect/Makefile.mk
