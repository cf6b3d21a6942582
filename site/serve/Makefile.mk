## Serve: a history as pages for a browser.  Connections need libmicrohttpd, the rest does not.

noinst_LTLIBRARIES += site/serve/libserve.la
site_serve_libserve_la_SOURCES = site/serve/answer.c site/serve/ask.c site/serve/guard.c site/serve/html.c \
    site/serve/judged.c site/serve/listen.c site/serve/page_activities.c site/serve/page_activity.c \
    site/serve/page_advice.c site/serve/page_anomalies.c site/serve/page_files.c site/serve/page_jobs.c \
    site/serve/page_metrics.c site/serve/page_overview.c site/serve/page_pattern.c site/serve/page_predicted.c \
    site/serve/page_process.c site/serve/page_program.c site/serve/page_records.c site/serve/pages.c \
    site/serve/places.c site/serve/program_run.c site/serve/table.c
if HAVE_MICROHTTPD
site_serve_libserve_la_SOURCES += site/serve/http.c
endif
site_serve_libserve_la_CFLAGS = $(AM_CFLAGS) $(MICROHTTPD_CFLAGS)
site_serve_libserve_la_LIBADD = tools/report/libpage.la site/history/libhistory.la \
    tools/common/libcommon.la models/libatm.la $(MICROHTTPD_LIBS) -lm
