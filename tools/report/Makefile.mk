## Pages and charts.

noinst_LTLIBRARIES += tools/report/libpage.la
tools_report_libpage_la_SOURCES = tools/report/page.c tools/report/page_parts.c tools/report/svg.c \
    tools/report/svg_axis.c tools/report/svg_boxes.c tools/report/svg_heat.c
tools_report_libpage_la_LIBADD = tools/common/libcommon.la -lm
