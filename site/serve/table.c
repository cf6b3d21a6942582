/* Tables: a statement put together, its rows as cells. */

#include "table.h"

#include <stdlib.h>
#include <string.h>

static int column_count(const table *table)
{
    int count = 0;

    while (count < TABLE_COLUMNS && table->columns[count].sql != NULL)
        count++;
    return count;
}

static bool is_number(ath_kind kind)
{
    return kind != ATH_WORDS && kind != ATH_TIME;
}

/* --- order: ?sort=NAME or -NAME */

/* -1: none is named; -2: there is no such column */
static int sorted_by(const table *table, const char *sort)
{
    const char *name = sort + (sort[0] == '-');

    if (sort[0] == '\0')
        return -1;
    for (int i = 0; i < column_count(table); i++)
        if (table->columns[i].name != NULL && strcmp(table->columns[i].name, name) == 0)
            return i;
    return -2;
}

static char *statement_of(const table *table, const char *sort, int64_t most, int64_t before)
{
    int by = sorted_by(table, sort);
    char *sql = NULL;
    size_t size;
    FILE *out = open_memstream(&sql, &size);

    if (out == NULL)
        return NULL;
    for (int i = 0; i < column_count(table); i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "SELECT ", table->columns[i].sql);
    fprintf(out, " %s %s ORDER BY ", table->from, table->group);
    if (by >= 0)
        fprintf(out, "%d%s, ", by + 1, sort[0] == '-' ? " DESC" : "");
    fprintf(out, "%s LIMIT %lld OFFSET %lld", table->order, (long long) most + 1,
            (long long) before);
    if (fclose(out) == 0)
        return sql;
    free(sql);
    return NULL;
}

/* --- head: a second click turns the order round; numbers and times begin with the largest */

static void put_head_link(const serve_visit *visit, const table_column *column)
{
    const char *sort = visit->ask.sort;
    bool is_this = strcmp(sort + (sort[0] == '-'), column->name) == 0;
    bool down = is_this ? sort[0] != '-' : column->kind != ATH_WORDS;
    char next[ASK_TEXT];
    serve_visit first = *visit;

    first.ask.after = 0;
    snprintf(next, sizeof(next), "%s%s", down ? "-" : "", column->name);
    fputs("<a href=\"", visit->out);
    html_self(&first, next, 1);
    fputs("\">", visit->out);
    page_escape(visit->out, column->name);
    fputs(is_this ? (sort[0] == '-' ? " \xe2\x86\x93</a>" : " \xe2\x86\x91</a>") : "</a>",
          visit->out);
}

static void put_head(const serve_visit *visit, const table *table, bool sortable)
{
    FILE *out = visit->out;

    fputs("<p class=\"caption\">", out);
    page_escape(out, table->caption);
    fputs("</p>\n<div class=\"scroll\"><table aria-label=\"", out);
    page_escape(out, table->caption);
    fputs("\">\n<thead><tr>", out);
    for (int i = 0; i < column_count(table); i++) {
        const table_column *column = &table->columns[i];

        if (column->name == NULL)
            continue;
        fprintf(out, "<th scope=\"col\"%s>", is_number(column->kind) ? " class=\"n\"" : "");
        if (sortable)
            put_head_link(visit, column);
        else
            page_escape(out, column->name);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
}

/* --- rows */

static const char *class_of(const table_column *column)
{
    return column->kind == ATH_TIME                                          ? "d"
           : is_number(column->kind)                                         ? "n"
           : column->link != NULL && strncmp(column->link, "/file/", 6) == 0 ? "w"
                                                                             : "";
}

/* What the link leads to; NULL: nothing, where a number is 0. */
static const char *target_of(const table_column *column, const ath_cell *cells,
                             char room[HTML_TEXT])
{
    const ath_cell *target = &cells[column->target];

    if (column->link == NULL || target->type == ATH_NULL)
        return NULL;
    if (target->type == ATH_INTEGER)
        return target->integer != 0 ? html_value(ATH_COUNT, target, room) : NULL;
    return html_value(ATH_WORDS, target, room);
}

static ath_status put_row(const ath_cell *cells, int count, void *context)
{
    table_parts *s = context;
    FILE *out = s->visit->out;
    char room[HTML_TEXT], link[HTML_TEXT];

    if (s->rows++ >= s->most) /* one more than is shown: there is a next page */
        return ATH_OK;
    s->last = cells[0].type == ATH_INTEGER ? cells[0].integer : 0;
    page_row(out, false);
    for (int i = 0; i < count; i++) {
        const table_column *column = &s->table->columns[i];
        const char *text = html_value(column->kind, &cells[i], room);
        const char *target = target_of(column, cells, link);

        if (column->name == NULL)
            continue;
        if (target != NULL) {
            html_cell_link(out, class_of(column), column->link, target, text);
        } else {
            fprintf(out, "<td class=\"%s\">", class_of(column));
            page_escape(out, text);
            fputs("</td>", out);
        }
    }
    page_row_end(out);
    return ATH_OK;
}

/* --- pages */

static void put_turn(const serve_visit *visit, const char *text, int64_t page)
{
    fputs("<a href=\"", visit->out);
    html_self(visit, visit->ask.sort, page);
    fprintf(visit->out, "\">%s</a>", text);
}

static void put_turns(const table_parts *s)
{
    int64_t page = s->visit->ask.page, first = (page - 1) * s->most + 1;
    bool more = s->rows > s->most;
    int64_t shown = more ? s->most : s->rows;

    if (shown == 0)
        page_text(s->visit->out, page > 1 ? "Nothing more." : "Nothing.");
    else
        page_note(s->visit->out, "%lld to %lld", (long long) first,
                  (long long) (first + shown - 1));
    fputs("<nav>", s->visit->out);
    if (page > 1)
        put_turn(s->visit, "first", 1);
    if (page > 1)
        put_turn(s->visit, "before", page - 1);
    if (more && page < ASK_PAGE)
        put_turn(s->visit, "next", page + 1);
    fputs("</nav>\n", s->visit->out);
}

serve_status table_show(serve_visit *visit, const table *table, bool sortable, int most,
                        int64_t *rows_p)
{
    table_parts s = {.visit = visit, .table = table, .most = most};
    ath_cell cells[TABLE_CELLS];
    int count = visit_cells(visit, table->parameters, cells);
    char *sql;
    ath_status status;

    if (sortable && sorted_by(table, visit->ask.sort) == -2) {
        ath_complain(ATH_BAD_FILE, &visit->message, "sort: there is no column %.64s",
                     visit->ask.sort);
        return SERVE_BAD;
    }
    put_head(visit, table, sortable);
    sql = statement_of(table, sortable ? visit->ask.sort : "", most,
                       sortable && !table->cut ? (visit->ask.page - 1) * most : 0);
    status = sql != NULL ? visit_query(visit, sql, cells, count, put_row, &s) : ATH_NO_MEMORY;
    page_table_end(visit->out);
    if (sortable)
        put_turns(&s);
    else if (s.rows == 0)
        page_text(visit->out, "Nothing.");
    else if (s.rows > most)
        page_note(visit->out, "The first %d.", most);
    free(sql);
    if (rows_p != NULL)
        *rows_p = s.rows;
    return serve_status_of(status);
}

serve_status table_show_linked(serve_visit *visit, const table *rows, int column, const char *path,
                               const char *value, const char *next, int most)
{
    table linked = *rows;
    char *link = NULL;
    size_t size;
    FILE *out = open_memstream(&link, &size);
    serve_status status = SERVE_FAILED;

    if (out == NULL)
        return SERVE_FAILED;
    fputs(path, out);
    html_encode(out, value);
    fputs(next, out);
    if (fclose(out) == 0) {
        linked.columns[column].link = link;
        status = table_show(visit, &linked, false, most, NULL);
    }
    free(link);
    return status;
}

/* --- of several statements */

void table_begin(serve_visit *visit, const table *table, int most, table_parts *parts_p)
{
    *parts_p = (table_parts){
        .visit = visit, .table = table, .most = most, .skip = (visit->ask.page - 1) * most};
    put_head(visit, table, true);
}

bool table_is_full(const table_parts *parts)
{
    return parts->rows > parts->most;
}

/* How many rows a statement has; they are not read. */
static ath_status count_rows(table_parts *parts, const ath_cell *cells, int count, int64_t *rows_p)
{
    char *sql = NULL;
    ath_status status = ATH_NO_MEMORY;

    if (asprintf(&sql, "SELECT count(*) %s", parts->table->from) >= 0)
        status = ath_query_integer(parts->visit->database, sql, cells, count,
                                   &parts->visit->message, rows_p);
    free(sql);
    return status;
}

ath_status table_part(table_parts *parts, const ath_cell *cells, int count)
{
    int64_t rows = 0;
    ath_status status = parts->skip > 0 ? count_rows(parts, cells, count, &rows) : ATH_OK;
    char *sql;

    if (status != ATH_OK)
        return status;
    if (parts->skip > 0 && parts->skip >= rows) {
        parts->skip -= rows;
        return ATH_OK;
    }
    sql = statement_of(parts->table, "", parts->most - parts->rows, parts->skip);
    parts->skip = 0;
    status =
        sql != NULL ? visit_query(parts->visit, sql, cells, count, put_row, parts) : ATH_NO_MEMORY;
    free(sql);
    return status;
}

static void put_turns_by_key(const table_parts *parts)
{
    serve_visit turned = *parts->visit;
    FILE *out = turned.out;
    bool is_first = turned.ask.after == 0;

    if (parts->rows == 0)
        page_text(out, is_first ? "Nothing." : "Nothing more.");
    fputs("<nav>", out);
    turned.ask.after = 0;
    if (!is_first)
        put_turn(&turned, "first", 1);
    turned.ask.after = parts->last;
    if (table_is_full(parts))
        put_turn(&turned, "next", 1);
    fputs("</nav>\n", out);
}

void table_end(const table_parts *parts)
{
    const ask *ask = &parts->visit->ask;

    page_table_end(parts->visit->out);
    if (ask->sort[0] == '\0' && ask->page == 1)
        put_turns_by_key(parts);
    else
        put_turns(parts);
}
