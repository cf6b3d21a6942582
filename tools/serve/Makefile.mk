## Serve: a history as pages for a browser.  Connections need libmicrohttpd, the rest does not.

noinst_LTLIBRARIES += tools/serve/libserve.la
tools_serve_libserve_la_SOURCES = tools/serve/answer.c tools/serve/ask.c tools/serve/guard.c tools/serve/html.c \
    tools/serve/judged.c tools/serve/listen.c tools/serve/page_activities.c tools/serve/page_activity.c \
    tools/serve/page_advice.c tools/serve/page_anomalies.c tools/serve/page_files.c tools/serve/page_jobs.c \
    tools/serve/page_metrics.c tools/serve/page_overview.c tools/serve/page_pattern.c tools/serve/page_predicted.c \
    tools/serve/page_process.c tools/serve/page_program.c tools/serve/page_records.c tools/serve/pages.c \
    tools/serve/places.c tools/serve/program_run.c tools/serve/table.c
if HAVE_MICROHTTPD
tools_serve_libserve_la_SOURCES += tools/serve/http.c
endif
tools_serve_libserve_la_CFLAGS = $(AM_CFLAGS) $(MICROHTTPD_CFLAGS)
tools_serve_libserve_la_LIBADD = tools/report/libpage.la tools/history/libhistory.la \
    tools/common/libcommon.la models/libatm.la $(MICROHTTPD_LIBS) -lm
