/* Journals of searches: refused with a sentence, or continued with trials of the space. */

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "search/journal.h"

static const char space_text[] =
    "{\"format\": \"romio-autotune-space\", \"version\": 1, \"parameters\": ["
    "{\"name\": \"cb_nodes\", \"values\": [1, 2, 4]}]}";

static atm_value *search_of(const ats_space *space)
{
    atm_value *search = atm_value_object();

    atm_put_string(search, "command", "app");
    ats_space_write(space, atm_put_object(search, "space"));
    atm_put_integer(search, "seed", 1);
    return search;
}

static void require_entries(const ats_journal *journal)
{
    for (int i = 0; i < journal->count; i++) {
        const ats_trial *trial = &journal->entries[i].trial;

        require(trial->kind < ATS_KIND_COUNT && trial->number >= 0, "a trial");
        require(trial->point.choice[0] >= 0 && trial->point.choice[0] <= 3, "a point");
        ats_journal_find(journal, trial);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    ats_journal *journal = NULL;
    atm_message message = {""};
    ats_space *space = NULL;
    atm_value *search;
    char lock[80];

    require(ats_space_parse(space_text, strlen(space_text), "space", &message, &space) == ATM_OK,
            message.text);
    search = search_of(space);
    if (ats_journal_open(path, space, search, &message, &journal) == ATM_OK) {
        require_entries(journal);
        ats_journal_close(journal);
    } else {
        require_message(&message);
    }
    snprintf(lock, sizeof(lock), "%s.lock", path);
    unlink(lock);
    atm_value_destroy(search);
    ats_space_destroy(space);
    return 0;
}
