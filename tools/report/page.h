/*
 * Pages: self-contained HTML without scripts.  Written to memory, then saved
 * atomically.
 *
 *     page_open(&page);
 *     page_begin(page->out, "Title", "what it is about, in a sentence");
 *     page_section(page->out, "id", "Heading");
 *     page_text(page->out, "Sentences; %s is escaped.", name);
 *     page_table(page->out, "caption", columns, 3);
 *     page_row(page->out, false), page_cell(page->out, columns, "%d", 1), ..., page_row_end(...)
 *     page_table_end(page->out);
 *     svg_...                                                 charts: svg.h
 *     page_section_end(page->out);
 *     page_end(page->out, "made by ...");
 *     page_save(page, path, &message);                        and page_close
 */

#ifndef PAGE_H
#define PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "atm.h"

typedef struct page {
    FILE *out;
    char *text; /* of out once it is closed */
    size_t length;
} page;

/* Close the page. */
atm_status page_open(page **page_p);
/* Replaces the file as atm_text_write does; at most once. */
atm_status page_save(page *page, const char *path, atm_message *message);
void page_close(page *page);

/* Text escaped for use between tags and in attributes.  What XML does not allow
 * (control characters, invalid UTF-8) becomes a question mark. */
void page_escape(FILE *out, const char *text);
void page_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

void page_begin(FILE *out, const char *title, const char *lead);
/* The same with a style sheet at an address, which has page_style: for servers that allow no style
 * within pages. */
void page_begin_at(FILE *out, const char *title, const char *lead, const char *style_address);
const char *page_style(void);
void page_end(FILE *out, const char *foot);

/* Links to sections by id. */
typedef struct page_link {
    const char *id, *name;
} page_link;
void page_links(FILE *out, const page_link *links, int count);

void page_section(FILE *out, const char *id, const char *heading);
void page_section_end(FILE *out);
void page_heading(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A paragraph. */
void page_text(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* One for those who want to know more. */
void page_note(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* One that warns. */
void page_warning(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Numbers that matter most, side by side. */
void page_cards(FILE *out);
void page_card(FILE *out, const char *number, const char *meaning);
void page_cards_end(FILE *out);

/* Charts side by side as far as there is room, each with a caption. */
void page_figures(FILE *out);
void page_figure(FILE *out);
void page_figure_end(FILE *out, const char *caption);
void page_figures_end(FILE *out);

/* Collapsed until the reader opens it. */
void page_details(FILE *out, const char *summary);
void page_details_end(FILE *out);

typedef struct page_column {
    const char *heading;
    bool number; /* flush right */
} page_column;
void page_table(FILE *out, const char *caption, const page_column *columns, int count);
/* strong: stands out from the others */
void page_row(FILE *out, bool strong);
void page_cell(FILE *out, const page_column *column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A row that continues in the next, which is a page_cell_wide over some columns. */
void page_row_above(FILE *out);
void page_cell_wide(FILE *out, int columns, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void page_row_end(FILE *out);
void page_table_end(FILE *out);

#endif /* PAGE_H */
