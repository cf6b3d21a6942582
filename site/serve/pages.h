/*
 * Pages: each is a file page_NAME.c that ends in one table; pages.c lists them.  To add one, write
 * such a file, declare its table here, and list it there and in Makefile.mk.
 */

#ifndef SERVE_PAGES_H
#define SERVE_PAGES_H

#include <stdio.h>

#include "ask.h"

typedef struct serve_page serve_page;

/* One request for one page. */
typedef struct serve_visit {
    serve_site *site;
    const serve_page *page;
    ask ask;
    int64_t id; /* of a numbered page */
    ath_database *database;
    FILE *out;
    atm_message message;
} serve_visit;

struct serve_page {
    const char *path; /* "/jobs"; of a numbered one what is before the number: "/file/" */
    bool numbered;
    const char *name;              /* in the menu; NULL: not in it */
    asked parameters[ASKED_COUNT]; /* that it takes */
    const char *type;              /* Content-Type; NULL: a page, which html_end is the end of */
    bool plain;                    /* it needs no database */
    /* Unless it says SERVE_OK, what it wrote is thrown away; the message then tells why. */
    serve_status (*write)(serve_visit *visit);
};

extern const serve_page *const serve_pages[]; /* the last is NULL */

extern const serve_page page_overview, page_jobs, page_job, page_programs, page_program, page_files,
    page_file, page_process, page_activities, page_activity, page_cause, page_pattern,
    page_anomalies, page_records, page_record, page_trials, page_advice, page_predicted,
    page_metrics, page_sheet;

/* The one for a path, and the number in it; NULL: there is none. */
const serve_page *serve_find(const char *path, int64_t *id_p);

/* SERVE_OK, or what a status of the history means here. */
serve_status serve_status_of(ath_status status);

/* SERVE_MISSING and a message. */
serve_status serve_missing(serve_visit *visit, const char *what);

/* --- what pages share */

/* A statement with this visit's database. */
ath_status visit_query(serve_visit *visit, const char *sql, const ath_cell *cells, int count,
                       ath_row row, void *context);

/* Parameters of a statement, the file as a pattern of SQL; returns how many. */
int visit_cells(const serve_visit *visit, const asked *parameters, ath_cell *cells_p);

/* The sampling step, a prime or 1, with which at most `most` of `all` things are looked at. */
int64_t visit_step(int64_t all, int64_t most);

/* Numbers of a row; 0 for anything else. */
double cell_number(const ath_cell *cell);
int64_t cell_integer(const ath_cell *cell);
/* "" for anything else */
const char *cell_words(const ath_cell *cell);

#endif /* SERVE_PAGES_H */
