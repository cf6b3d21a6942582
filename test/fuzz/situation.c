/* Situations: refused with a sentence, or decided in, with aggregators of the job. */

#include "fuzz.h"

#include <stdlib.h>

#include "decide/decide.h"
#include "decide/situation_file.h"
#include "files/profile.h"

enum { RANKS = 4096 }; /* of larger jobs, reading is enough */

static void require_decision(const atm_situation *situation)
{
    int ranks[RANKS], count;
    atm_decision decision;

    if (atm_decide(situation, NULL, ranks, &decision) != ATM_OK)
        return;
    count = decision.answer.chosen.config.aggregators;
    require(count >= 1 && count <= situation->topology->ranks, "so many aggregators");
    for (int i = 0; i < count; i++)
        require(ranks[i] >= 0 && ranks[i] < situation->topology->ranks, "ranks of the job");
    require(decision.answer.chosen.prediction.seconds >= 0, "a time");
    atm_decision_clear(&decision);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    atm_message message = {""};
    atm_replayed replayed;
    atm_profile *profile = NULL;
    atm_value *root;

    if (atm_value_parse((const char *) data, size, "f", &message, &root) != ATM_OK) {
        require_message(&message);
        return 0;
    }
    if (atm_get_situation(root, "situation", &message, &replayed) != ATM_OK) {
        require_message(&message);
    } else {
        require(atm_profile_generic(&message, &profile) == ATM_OK, message.text);
        replayed.situation.profile = profile;
        if (replayed.topology->ranks <= RANKS)
            require_decision(&replayed.situation);
        atm_profile_destroy(profile);
        atm_replayed_clear(&replayed);
    }
    atm_value_destroy(root);
    return 0;
}
