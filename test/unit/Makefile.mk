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

check_PROGRAMS += test/unit/tools/test_options test/unit/tools/test_page test/unit/tools/test_stats
test_unit_tools_test_options_SOURCES = test/unit/tools/test_options.c
test_unit_tools_test_options_CPPFLAGS = $(tool_cppflags)
test_unit_tools_test_options_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_tools_test_options_LDADD = tools/common/libcommon.la $(CMOCKA_LIBS) -lm
test_unit_tools_test_page_SOURCES = test/unit/tools/test_page.c
test_unit_tools_test_page_CPPFLAGS = $(tool_cppflags)
test_unit_tools_test_page_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_tools_test_page_LDADD = tools/report/libpage.la $(CMOCKA_LIBS) -lm
test_unit_tools_test_stats_SOURCES = test/unit/tools/test_stats.c
test_unit_tools_test_stats_CPPFLAGS = $(tool_cppflags)
test_unit_tools_test_stats_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_tools_test_stats_LDADD = tools/common/libcommon.la $(CMOCKA_LIBS) -lm
check_PROGRAMS += test/unit/tools/test_needs
test_unit_tools_test_needs_SOURCES = test/unit/tools/test_needs.c \
    tools/autotune/program_elf.c tools/autotune/program_needs.c tools/autotune/program_search.c
test_unit_tools_test_needs_CPPFLAGS = $(tool_cppflags)
test_unit_tools_test_needs_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_tools_test_needs_LDADD = models/libatm.la $(CMOCKA_LIBS) -lm
