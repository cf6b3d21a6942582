/* What the module histogram said of processes. */

#include "judged.h"

#include <stdlib.h>
#include <string.h>

#include "history/list.h"
#include "value/value.h"

const char *const judged_names[JUDGED_VERDICTS] = {"very_fast", "fast", "normal", "slow",
                                                   "very_slow"};

enum { SLOW = 3, VERY_SLOW = 4, USUAL = 1000 }; /* one in USUAL is very slow */

bool judged_stands_out(const judged_kind *kind)
{
    int64_t very_slow = kind->verdicts[VERY_SLOW];

    return very_slow >= 5 && very_slow > 5 * (kind->count / USUAL);
}

static judged_kind *next(judged *j)
{
    if (j->count == j->room) {
        size_t room = j->room > 0 ? 2 * j->room : 256;
        judged_kind *kinds = realloc(j->kinds, room * sizeof(*kinds));

        if (kinds == NULL)
            return NULL;
        j->kinds = kinds;
        j->room = room;
    }
    return &j->kinds[j->count];
}

static bool read_kind(const atm_value *value, judged_kind *kind)
{
    const char *call = "";
    bool right =
        atm_get_string(value, "call", NULL, &call) == ATM_OK &&
        atm_get_integer(value, "from_bytes", 0, ATM_MAX_INTEGER, NULL, &kind->from_bytes) ==
            ATM_OK &&
        atm_get_integer(value, "count", 1, ATM_MAX_INTEGER, NULL, &kind->count) == ATM_OK &&
        atm_get_integer(value, "median_ns", 0, ATM_MAX_INTEGER, NULL, &kind->median) == ATM_OK &&
        atm_get_integer(value, "slowest_ns", 0, ATM_MAX_INTEGER, NULL, &kind->slowest) == ATM_OK &&
        atm_get_integer(value, "slowest", 0, ATM_MAX_INTEGER, NULL, &kind->slowest_number) ==
            ATM_OK;

    for (int i = 0; right && i < JUDGED_VERDICTS; i++)
        right = atm_get_integer(value, judged_names[i], 0, ATM_MAX_INTEGER, NULL,
                                &kind->verdicts[i]) == ATM_OK;
    snprintf(kind->call, sizeof(kind->call), "%s", call);
    return right;
}

static ath_status read_kinds(const atm_value *root, const judged_kind *whose, judged *j)
{
    const atm_value *kinds = NULL;
    const char *module = "";

    if (atm_get_string(root, "module", NULL, &module) != ATM_OK ||
        strcmp(module, "histogram") != 0 ||
        atm_get_array(root, "kinds", 0, SIZE_MAX, NULL, &kinds) != ATM_OK)
        return ATH_OK;
    for (size_t i = 0; i < atm_value_length(kinds); i++) {
        judged_kind *kind = next(j);

        if (kind == NULL)
            return ATH_NO_MEMORY;
        *kind = *whose;
        j->more = j->more || j->count >= JUDGED_MOST;
        if (j->count < JUDGED_MOST && read_kind(atm_value_item(kinds, i), kind))
            j->count++;
    }
    return ATH_OK;
}

static ath_status keep(const ath_cell *cells, int count, void *context)
{
    judged_kind whose = {.process = cell_integer(&cells[0]),
                         .rank = cell_integer(&cells[1]),
                         .started = cell_number(&cells[4])};
    const char *document = cell_words(&cells[5]);
    atm_value *root = NULL;
    ath_status status = ATH_OK;

    (void) count;
    snprintf(whose.program, sizeof(whose.program), "%s", cell_words(&cells[2]));
    snprintf(whose.user, sizeof(whose.user), "%s", cell_words(&cells[3]));
    if (atm_value_parse(document, strlen(document), "survey", NULL, &root) == ATM_OK)
        status = read_kinds(root, &whose, context);
    atm_value_destroy(root);
    return status;
}

ath_status judged_read(serve_visit *visit, judged *judged_p)
{
    ath_cell cells[16];
    int count = visit_cells(visit,
                            (const asked[]){ASKED_SINCE, ASKED_UNTIL, ASKED_USER, ASKED_PROGRAM,
                                            ASKED_JOB, ASKED_PROCESS, ASKED_END},
                            cells);

    return visit_query(
        visit,
        "SELECT p.id, p.rank, p.program, p.username, p.started, s.document FROM survey s JOIN "
        "process p ON p.id = s.process WHERE p.started >= $1 AND p.started < $2 AND "
        "($3 = '' OR p.username = $3) AND ($4 = '' OR p.program = $4) AND "
        "($5 = '' OR " ATH_JOB " = $5) AND (CAST($6 AS BIGINT) = 0 OR p.id = $6) AND "
        "s.document LIKE '%\"histogram\"%' ORDER BY p.started DESC, p.id LIMIT 10000",
        cells, count, keep, judged_p);
}
