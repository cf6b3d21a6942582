/* Journals of calibrations: refused with a sentence, or continued; what was continued once is
 * continued again. */

#include "fuzz.h"

#include <stdlib.h>

#include "calibrate/visits_journal.h"

enum { POINTS = 100 };

static int resume(const char *path, const atm_value *plan)
{
    journal *journal = NULL;
    atm_message message = {""};
    atm_status status = journal_resume(path, plan, POINTS, &message, &journal);
    int count = -1;

    if (status != ATM_OK) {
        require_message(&message);
        return -1;
    }
    if (journal == NULL)
        return 0;
    for (int i = 0; i < journal->count; i++)
        require(journal->visits[i].point >= 0 && journal->visits[i].point < POINTS &&
                    journal->visits[i].count > 0,
                "a visit");
    count = journal->count;
    journal_close(journal);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    atm_value *plan = atm_value_object();
    int count;

    atm_put_string(plan, "ranks", "8");
    journal_disk(path);
    count = resume(path, plan);
    if (count > 0)
        require(resume(path, plan) == count, "not the same visits again");
    atm_value_destroy(plan);
    return 0;
}
