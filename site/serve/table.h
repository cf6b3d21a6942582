/*
 * Tables: lists that are sorted by any column and turned over page by page, each a statement in
 * parts.  A column links to `link`, followed by another column of the same row.
 */

#ifndef SERVE_TABLE_H
#define SERVE_TABLE_H

#include "html.h"

enum { TABLE_COLUMNS = 20, TABLE_CELLS = 16 };

typedef struct table_column {
    const char *name; /* heading, and of ?sort=; NULL: not shown, for links only */
    ath_kind kind;
    const char *sql;
    const char *link; /* or NULL */
    int target;       /* column that the link has: an index, by its name where it is not 0 */
} table_column;

typedef struct table {
    const char *caption;
    asked parameters[ASKED_COUNT]; /* $1, $2, ... (visit_cells) */
    const char *from;              /* FROM ... WHERE ... */
    bool cut;                      /* from has no more rows than those of the page, and one */
    const char *group;             /* GROUP BY ..., or "" */
    const char *order;             /* usual: columns by number, with DESC */
    table_column columns[TABLE_COLUMNS];
} table;

/* sortable: by links in the head, page by page; else the first rows, at most as many.
 * SERVE_BAD if ?sort= is no column.  *rows_p may be NULL. */
serve_status table_show(serve_visit *visit, const table *table, bool sortable, int most,
                        int64_t *rows_p);

/* The first rows, with links in a column that name what the page is of, too: PATH, the value
 * encoded, then NEXT before what the cell has. */
serve_status table_show_linked(serve_visit *visit, const table *rows, int column, const char *path,
                               const char *value, const char *next, int most);

/* --- the same of several statements, one after the other, where one alone would look at too much.
 * In the usual order the first column is a key, by which the rows are: the next page begins after
 * the last key (`after`, ask.h) and not after a number of rows. */

typedef struct table_parts {
    serve_visit *visit;
    const table *table;
    int most;
    int64_t skip;       /* rows of pages before, which are still to be passed over */
    int64_t rows, last; /* last: key of the last row that was shown */
} table_parts;

void table_begin(serve_visit *visit, const table *table, int most, table_parts *parts_p);
/* The rows that are still wanted, with these cells as parameters. */
ath_status table_part(table_parts *parts, const ath_cell *cells, int count);
bool table_is_full(const table_parts *parts);
void table_end(const table_parts *parts);

#endif /* SERVE_TABLE_H */
