/* All pages, in the order of the menu, and what they share. */

#include "pages.h"

#include <math.h>
#include <string.h>

const serve_page *const serve_pages[] = {&page_overview,  &page_jobs,    &page_programs,
                                         &page_program,   &page_files,   &page_activities,
                                         &page_anomalies, &page_records, &page_advice,
                                         &page_predicted, &page_trials,  &page_job,
                                         &page_file,      &page_process, &page_activity,
                                         &page_cause,     &page_pattern, &page_record,
                                         &page_metrics,   &page_sheet,   NULL};

const serve_page *serve_find(const char *path, int64_t *id_p)
{
    for (int i = 0; serve_pages[i] != NULL; i++) {
        const serve_page *page = serve_pages[i];
        int64_t id = page->numbered ? ask_number(path, page->path) : 0;

        if (page->numbered ? id == 0 : strcmp(path, page->path) != 0)
            continue;
        *id_p = id;
        return page;
    }
    return NULL;
}

serve_status serve_status_of(ath_status status)
{
    switch (status) {
        case ATH_OK:
            return SERVE_OK;
        case ATH_NO_ACCESS:
        case ATH_TOO_LONG:
            return SERVE_BUSY;
        default:
            return SERVE_FAILED;
    }
}

serve_status serve_missing(serve_visit *visit, const char *what)
{
    ath_complain(ATH_BAD_FILE, &visit->message, "there is no such %s", what);
    return SERVE_MISSING;
}

ath_status visit_query(serve_visit *visit, const char *sql, const ath_cell *cells, int count,
                       ath_row row, void *context)
{
    return ath_query(visit->database, sql, cells, count, row, context, &visit->message);
}

static ath_cell cell_of(const serve_visit *visit, asked which)
{
    const ask *ask = &visit->ask;

    if (which == ASKED_ID)
        return ath_integer(visit->id);
    if (which == ASKED_FILE)
        return ath_text(ask->like);
    for (const ask_parameter *at = ask_all; at->name != NULL; at++) {
        const void *value = (const char *) ask + at->offset;

        if (at->which == which)
            return at->kind == ASK_WORDS  ? ath_text(value)
                   : at->kind == ASK_TIME ? ath_real(*(const double *) value)
                                          : ath_integer(*(const int64_t *) value);
    }
    return (ath_cell){.type = ATH_NULL};
}

int visit_cells(const serve_visit *visit, const asked *parameters, ath_cell *cells_p)
{
    int count = 0;

    for (; parameters[count] != ASKED_END; count++)
        cells_p[count] = cell_of(visit, parameters[count]);
    return count;
}

/* A prime does not fall into step with a pattern. */
int64_t visit_step(int64_t all, int64_t most)
{
    int64_t step = all / most + (all % most != 0);

    for (bool prime = step <= 1; !prime; step += !prime) {
        prime = true;
        for (int64_t i = 2; prime && i * i <= step; i++)
            prime = step % i != 0;
    }
    return step > 0 ? step : 1;
}

double cell_number(const ath_cell *cell)
{
    return cell->type == ATH_INTEGER ? (double) cell->integer
           : cell->type == ATH_REAL  ? cell->real
                                     : 0;
}

int64_t cell_integer(const ath_cell *cell)
{
    return cell->type == ATH_INTEGER ? cell->integer
           : cell->type == ATH_REAL  ? (int64_t) fmax(-0x1p62, fmin(cell->real, 0x1p62))
                                     : 0;
}

const char *cell_words(const ath_cell *cell)
{
    return cell->type == ATH_TEXT ? cell->text : "";
}
