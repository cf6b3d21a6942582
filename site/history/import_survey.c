/* Surveys: what modules of a process said.  They are checked and counted, for their texts are
 * kept as they are. */

#include <stdint.h>

#include "import_inside.h"

#include <stdlib.h>

#include "value/value.h"

/* A long process with many signals of the reasoner has some hundred; the survey of 1,024 files with
 * long names has 5 MiB. */
enum { SURVEYS_MAX = 1000, SURVEY_BYTES = 16 << 20 };

/* The message stays, with the first that was left out. */
static void leave_out(const import_job *j, const ath_block *block, const char *why)
{
    if (j->message != NULL && j->message->text[0] == '\0')
        ath_spool_complain(j->spool, block->at, j->message, "a survey is left out: %s", why);
}

static ath_status check(const ath_block *block, const char **wrong_p)
{
    atm_value *root = NULL;
    const atm_value *object;
    atm_message message = {""};
    atm_status status = atm_value_parse(block->content, block->length, "survey", &message, &root);

    if (status == ATM_NO_MEMORY)
        return ATH_NO_MEMORY;
    if (status != ATM_OK)
        *wrong_p = "it is no JSON";
    else if (atm_get_object(root, NULL, NULL, &object) != ATM_OK)
        *wrong_p = "it is no object";
    atm_value_destroy(root);
    return ATH_OK;
}

static ath_status store(const import_job *j, const ath_block *block)
{
    char *text = ath_clean(block->content, block->length);
    ath_cell cells[] = {ath_integer(j->process), ath_text(text)};
    ath_status status = ATH_NO_MEMORY;

    if (text != NULL)
        status = ath_run(j->database, "INSERT INTO survey (process, document) VALUES ($1, $2)",
                         cells, 2, j->message);
    free(text);
    return status;
}

ath_status import_survey(import_job *j, const ath_block *block, bool is_new)
{
    const char *wrong = NULL;
    ath_status status;

    j->surveys++;
    j->survey_bytes += block->length;
    if (!is_new)
        return ATH_OK;
    status = check(block, &wrong);
    if (j->surveys > SURVEYS_MAX)
        wrong = "its process has more than 1,000";
    else if (j->survey_bytes > SURVEY_BYTES)
        wrong = "those of its process have more than 16 MiB";
    if (status == ATH_OK && wrong != NULL)
        leave_out(j, block, wrong);
    else if (status == ATH_OK)
        status = store(j, block);
    return status;
}
