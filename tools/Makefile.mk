## What users run beside calibration and search (tune/) and what a site runs (site/); common/ is what
## all of these share, report/ draws pages for them.

include tools/common/Makefile.mk
include tools/report/Makefile.mk
include tools/autotune/Makefile.mk
include tools/write/Makefile.mk
