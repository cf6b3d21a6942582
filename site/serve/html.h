/* Links, forms and frames of pages; all text is escaped. */

#ifndef SERVE_HTML_H
#define SERVE_HTML_H

#include "history/list.h"
#include "pages.h"
#include "report/page.h"

#define HTML_STYLE_ADDRESS "/style.css"

/* Up to and including the menu. */
void html_begin(serve_visit *visit, const char *title, const char *lead);
void html_end(FILE *out);

/* Text as part of an address: what is not a letter, digit, or one of "-._~/" as %XX. */
void html_encode(FILE *out, const char *text);

/* A link to before + value, which is encoded. */
void html_link(FILE *out, const char *before, const char *value, const char *text);
/* The same in a cell of a table.  class: of the style, "n" for numbers, "w" for long names, or
 * "". */
void html_cell_link(FILE *out, const char *class, const char *before, const char *value,
                    const char *text);

/* This page again, with all parameters that are set, but with this order and page. */
void html_self(const serve_visit *visit, const char *sort, int64_t page);

/* Fields for the page's parameters. */
void html_form(const serve_visit *visit);

/* A row of a list of names and values. */
void html_facts(FILE *out);
void html_fact(FILE *out, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void html_fact_link(FILE *out, const char *name, const char *before, const char *value,
                    const char *text);
void html_facts_end(FILE *out);

/* A cell as people read it. */
enum { HTML_TEXT = 64 };
const char *html_value(ath_kind kind, const ath_cell *cell, char room[HTML_TEXT]);
/* Seconds since 1970 as a time, UTC. */
const char *html_time(double seconds, char room[HTML_TEXT]);

#endif /* SERVE_HTML_H */
