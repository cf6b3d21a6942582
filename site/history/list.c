/* Lists: printed as text, JSON or CSV. */

#include "list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/shown.h"
#include "common/units.h"
#include "value/value.h"

typedef struct printing {
    const ath_list *list;
    ath_form form;
    FILE *out;
    int64_t rows;
} printing;

static int column_count(const ath_list *list)
{
    int count = 0;

    while (count < ATH_COLUMNS && list->columns[count].name != NULL)
        count++;
    return count;
}

static double number_of(const ath_cell *cell)
{
    return cell->type == ATH_INTEGER ? (double) cell->integer
           : cell->type == ATH_REAL  ? cell->real
                                     : 0;
}

/* --- for people: columns as wide as most of what they show */

static int width_of(ath_kind kind)
{
    return kind == ATH_TIME ? 19 : kind == ATH_WORDS ? 12 : 10;
}

static void time_text(double seconds, size_t size, char *text_p)
{
    time_t when = (time_t) seconds;
    struct tm utc;

    if (gmtime_r(&when, &utc) == NULL || strftime(text_p, size, "%F %T", &utc) == 0)
        snprintf(text_p, size, "?");
}

static void put_words(const ath_cell *cell, int width, FILE *out)
{
    size_t put = shown_put(cell->type == ATH_TEXT ? cell->text : "", out);

    fprintf(out, "%*s", put < (size_t) width ? width - (int) put : 0, "");
}

static void people_cell(const ath_column *column, const ath_cell *cell, FILE *out)
{
    int width = width_of(column->kind);
    char when[32];

    switch (column->kind) {
        case ATH_WORDS:
            put_words(cell, width, out);
            break;
        case ATH_COUNT:
            fprintf(out, "%*.0f", width, number_of(cell));
            break;
        case ATH_BYTES:
            fprintf(out, "%*s", width, units_bytes(number_of(cell)).text);
            break;
        case ATH_SECONDS:
            fprintf(out, "%*s", width, units_seconds(number_of(cell)).text);
            break;
        case ATH_NANOSECONDS:
            fprintf(out, "%*s", width, units_seconds(number_of(cell) / 1e9).text);
            break;
        case ATH_TIME:
            time_text(number_of(cell), sizeof(when), when);
            fprintf(out, "%-*s", width, when);
            break;
    }
}

static void people_head(const ath_list *list, FILE *out)
{
    for (int i = 0; i < column_count(list); i++) {
        ath_kind kind = list->columns[i].kind;
        bool left = kind == ATH_WORDS || kind == ATH_TIME;

        fprintf(out, "%s%*s", i > 0 ? "  " : "", left ? -width_of(kind) : width_of(kind),
                list->columns[i].name);
    }
    fputs("\n", out);
}

/* --- JSON: an object a row */

static void json_cell(const ath_column *column, const ath_cell *cell, atm_value *object)
{
    if (column->kind == ATH_WORDS)
        atm_put_string(object, column->name, cell->type == ATH_TEXT ? cell->text : "");
    else if (cell->type == ATH_INTEGER && llabs(cell->integer) <= ATM_MAX_INTEGER)
        atm_put_integer(object, column->name, cell->integer);
    else
        atm_put_number(object, column->name, number_of(cell));
}

static ath_status json_row(const printing *p, const ath_cell *cells, int count)
{
    atm_value *object = atm_value_object();
    char *text = NULL;
    size_t length;
    ath_status status;

    for (int i = 0; i < count; i++)
        json_cell(&p->list->columns[i], &cells[i], object);
    status = ath_status_of(atm_value_print_line(object, &text, &length));
    atm_value_destroy(object);
    if (status == ATH_OK)
        fprintf(p->out, "%s\n  %.*s", p->rows > 0 ? "," : "", (int) length - 1, text);
    free(text);
    return status;
}

/* --- CSV, as RFC 4180 has it; a cell that a spreadsheet would take for a formula has a ' before it
 */

static void csv_cell(const ath_column *column, const ath_cell *cell, FILE *out)
{
    const char *text = cell->type == ATH_TEXT ? cell->text : "", *end = text + strlen(text);
    size_t length;

    if (column->kind != ATH_WORDS) {
        if (cell->type == ATH_INTEGER)
            fprintf(out, "%lld", (long long) cell->integer);
        else
            fprintf(out, "%.15g", number_of(cell));
        return;
    }
    fputc('"', out);
    if (text[0] != '\0' && strchr("=+-@", text[0]) != NULL)
        fputc('\'', out);
    while (text < end) {
        const char *shown = shown_next(&text, end, &length);

        if (*shown == '"')
            fputc('"', out);
        fwrite(shown, 1, length, out);
    }
    fputc('"', out);
}

static void csv_head(const ath_list *list, FILE *out)
{
    for (int i = 0; i < column_count(list); i++)
        fprintf(out, "%s%s", i > 0 ? "," : "", list->columns[i].name);
    fputs("\r\n", out);
}

/* --- all */

static ath_status print_row(const ath_cell *cells, int count, void *context)
{
    printing *p = context;
    ath_status status = ATH_OK;

    if (p->form == ATH_JSON) {
        status = json_row(p, cells, count);
    } else {
        for (int i = 0; i < count; i++) {
            if (i > 0)
                fputs(p->form == ATH_CSV ? "," : "  ", p->out);
            (p->form == ATH_CSV ? csv_cell : people_cell)(&p->list->columns[i], &cells[i], p->out);
        }
        fputs(p->form == ATH_CSV ? "\r\n" : "\n", p->out);
    }
    p->rows++;
    return status;
}

static int fill(const ath_list *list, const ath_filter *filter, ath_cell *cells)
{
    int count = 0;

    for (const char *letter = list->parameters; *letter != '\0'; letter++)
        switch (*letter) {
            case 's':
                cells[count++] = ath_real(filter->since);
                break;
            case 'u':
                cells[count++] = ath_text(filter->user != NULL ? filter->user : "");
                break;
            case 'p':
                cells[count++] = ath_text(filter->program != NULL ? filter->program : "");
                break;
            case 'j':
                cells[count++] = ath_text(filter->job != NULL ? filter->job : "");
                break;
            case 'i':
                cells[count++] = ath_integer(filter->id);
                break;
            default:
                cells[count++] = ath_integer(filter->limit > 0 ? filter->limit : INT64_MAX);
        }
    return count;
}

ath_status ath_list_print(ath_database *database, const ath_list *list, const ath_filter *filter,
                          ath_form form, FILE *out, atm_message *message, int64_t *count_p)
{
    printing p = {list, form, out, 0};
    ath_cell cells[8];
    int count = fill(list, filter, cells);
    ath_status status;

    if (form == ATH_JSON)
        fprintf(out, "{\"%s\": [", list->name);
    else if (form == ATH_CSV)
        csv_head(list, out);
    else
        people_head(list, out);
    status = ath_query(database, list->sql, cells, count, print_row, &p, message);
    if (form == ATH_JSON)
        fputs(p.rows > 0 ? "\n]}\n" : "]}\n", out);
    if (status == ATH_OK && count_p != NULL)
        *count_p = p.rows;
    return status;
}
