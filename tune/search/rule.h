/* The winner as a rule of advice, beside the rules of others. */

#ifndef ATS_RULE_H
#define ATS_RULE_H

#include "advice/advice.h"
#include "rank.h"

/* What is known of the program; NULL: any. */
typedef struct ats_whom {
    const char *program, *file; /* patterns */
} ats_whom;

/* For whom the winner's settings are: what the facts of its run tell (seen_io.h, may be NULL), and
 * what the user says instead.  calls: of a run; a rule has seconds of a call.  Destroy the advice,
 * which has this rule alone.  ATM_BAD_ARGUMENT and a message: it is not known for whom. */
atm_status ats_rule(const ats_space *space, const ats_point *winner, const ats_verdict *verdict,
                    const atm_value *facts, int64_t calls, const ats_whom *whom,
                    atm_message *message, atm_advice **advice_p);

/* Advice with one rule, which is empty; destroy it.  NULL: there is no memory. */
atm_advice *ats_rule_alone(const char *source);

/* For so many ranks, up to a factor of two, as what is learned from a history. */
void ats_rule_ranks(atm_rule *rule, int64_t ranks);

/* Appends copies of the rules of earlier advice, but for those of a search for what a rule is there
 * for, which is newer, and those that are there already. */
atm_status ats_rule_keep(atm_advice *advice, const atm_advice *earlier, atm_message *message);
/* The same with those of a file; one that need not be there may have none. */
atm_status ats_rule_keep_file(atm_advice *advice, const char *path, bool must,
                              atm_message *message);

atm_status ats_rule_write(const atm_advice *advice, const char *path, atm_message *message);

#endif /* ATS_RULE_H */
