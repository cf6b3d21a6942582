## Pages and charts; autotune profile, autotune install-profile and the report of
## a training.

noinst_LTLIBRARIES += tools/report/libpage.la
tools_report_libpage_la_SOURCES = \
    tools/report/page.h \
    tools/report/svg.h \
    tools/report/svg_boxes.h \
    tools/units.h \
    tools/report/page.c \
    tools/report/page_parts.c \
    tools/report/svg.c \
    tools/report/svg_axis.c \
    tools/report/svg_boxes.c \
    tools/report/svg_heat.c \
    tools/units.c
tools_report_libpage_la_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir)/models -I$(top_srcdir)/tools
tools_report_libpage_la_CFLAGS = $(AM_CFLAGS)
tools_report_libpage_la_LIBADD = -lm

tools_autotune_SOURCES += \
    tools/autotune_install.c \
    tools/autotune_profile.c \
    tools/autotune_profile.h \
    tools/autotune_profile_check.c \
    tools/autotune_profile_diff.c \
    tools/autotune_profile_merge.c \
    tools/autotune_profile_points.c \
    tools/autotune_profile_show.c \
    tools/grid.c \
    tools/grid.h \
    tools/profile_find.c \
    tools/profile_find.h \
    tools/profile_warn.c \
    tools/report/report.h \
    tools/report/report_cost.c \
    tools/report/report_map.c \
    tools/report/report_operation.c \
    tools/report/report_operation.h \
    tools/report/report_table.c \
    tools/report/report_train.c \
    tools/typical.c \
    tools/typical.h
tools_autotune_CPPFLAGS += -I$(top_srcdir)/tools -I$(top_srcdir)/tools/train \
    -I$(top_srcdir)/tools/report \
    -DSYSCONFDIR='"$(sysconfdir)"'
tools_autotune_LDADD += tools/report/libpage.la -lm
dist_man_MANS += doc/autotune-profile.1 doc/autotune-install-profile.1
EXTRA_DIST += doc/guide

TESTS += test/tools/profile.sh test/tools/report.sh
check_PROGRAMS += test/tools/test_page
test_tools_test_page_SOURCES = test/tools/test_page.c
test_tools_test_page_CPPFLAGS = -D_GNU_SOURCE $(AM_CPPFLAGS) -I$(top_srcdir)/models \
    -I$(top_srcdir)/tools -I$(top_srcdir)/tools/report
test_tools_test_page_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_tools_test_page_LDADD = tools/report/libpage.la $(CMOCKA_LIBS) -lm
