## Pages and charts.

noinst_LTLIBRARIES += tools/report/libpage.la
tools_report_libpage_la_SOURCES = \
    tools/report/page.h \
    tools/report/svg.h \
    tools/report/svg_boxes.h \
    tools/report/page.c \
    tools/report/page_parts.c \
    tools/report/svg.c \
    tools/report/svg_axis.c \
    tools/report/svg_boxes.c \
    tools/report/svg_heat.c
tools_report_libpage_la_CPPFLAGS = $(tool_cppflags)
tools_report_libpage_la_CFLAGS = $(AM_CFLAGS)
tools_report_libpage_la_LIBADD = tools/common/libcommon.la -lm
