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
    int target;       /* index of the column that the link has */
} table_column;

typedef struct table {
    const char *caption;
    const char *parameters; /* letters of $1, $2, ... (visit_cells) */
    const char *from;       /* FROM ... WHERE ... */
    const char *group;      /* GROUP BY ..., or "" */
    const char *order;      /* usual: columns by number, with DESC */
    table_column columns[TABLE_COLUMNS];
} table;

/* sortable: by links in the head, page by page; else the first rows, at most as many.
 * SERVE_BAD if ?sort= is no column.  *rows_p may be NULL. */
serve_status table_show(serve_visit *visit, const table *table, bool sortable, int most,
                        int64_t *rows_p);

#endif /* SERVE_TABLE_H */
