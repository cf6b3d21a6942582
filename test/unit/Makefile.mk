## Programs that call functions of ours, by the folder that these are in.

include test/unit/models/Makefile.mk
include test/unit/train/Makefile.mk
include test/unit/state/Makefile.mk
include test/unit/history/Makefile.mk
include test/unit/search/Makefile.mk
include test/unit/serve/Makefile.mk
include test/unit/calibrate/Makefile.mk
include test/unit/probe/Makefile.mk
include test/unit/collect/Makefile.mk
include test/unit/watch/Makefile.mk

tools_tests = test/unit/tools/test_needs test/unit/tools/test_options test/unit/tools/test_page test/unit/tools/test_stats
check_PROGRAMS += $(tools_tests)
$(tools_tests): tools/report/libpage.la
test/unit/tools/%: LDADD = tools/report/libpage.la tools/common/libcommon.la models/libatm.la $(CMOCKA_LIBS) -lm
test_unit_tools_test_needs_SOURCES = test/unit/tools/test_needs.c \
    tools/autotune/program_elf.c tools/autotune/program_needs.c tools/autotune/program_search.c
