/* What the text blocks of a spool say. */

#include <stdint.h>

#include "import_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value/value.h"

enum { CALLS_MAX = 65536 }; /* as many as atw_activity.call can tell apart */

/* Messages then name the file and where the block is. */
static ath_status parse(const ath_block *block, const char *path, atm_message *message,
                        atm_value **root_p)
{
    char name[160];

    snprintf(name, sizeof(name), "%.120s: byte %llu", path, (unsigned long long) block->at);
    return ath_status_of(atm_value_parse(block->content, block->length, name, message, root_p));
}

/* --- facts */

void import_facts_clear(import_facts *facts)
{
    free(facts->program);
    free(facts->arguments);
    free(facts->host);
    free(facts->user);
    free(facts->job);
    free(facts->directory);
    *facts = (import_facts){.rank = -1};
}

static atm_status take_text(const atm_value *root, const char *key, atm_message *message,
                            char **text_p)
{
    const char *text = NULL;
    atm_status status = atm_opt_string(root, key, message, &text);

    if (status != ATM_OK || text == NULL)
        return status;
    *text_p = ath_clean(text, strlen(text));
    return *text_p != NULL ? ATM_OK : ATM_NO_MEMORY;
}

/* As they were given, with spaces between them. */
static atm_status take_arguments(const atm_value *root, atm_message *message, char **text_p)
{
    const atm_value *array = atm_value_find(root, "arguments");
    char *text = NULL;
    size_t size;
    FILE *out;
    atm_status status = ATM_OK;

    if (array == NULL || atm_get_string(root, "arguments", NULL, &(const char *){NULL}) == ATM_OK)
        return take_text(root, "arguments", message, text_p);
    status = atm_get_array(root, "arguments", 0, SIZE_MAX, message, &array);
    if (status != ATM_OK)
        return status;
    out = open_memstream(&text, &size);
    if (out == NULL)
        return ATM_NO_MEMORY;
    for (size_t i = 0; status == ATM_OK && i < atm_value_length(array); i++) {
        const char *word = "";

        status = atm_get_string(atm_value_item(array, i), NULL, message, &word);
        fprintf(out, "%s%s", i > 0 ? " " : "", word);
    }
    if (fclose(out) != 0 && status == ATM_OK)
        status = ATM_NO_MEMORY;
    if (status == ATM_OK && (*text_p = ath_clean(text, size)) == NULL)
        status = ATM_NO_MEMORY;
    free(text);
    return status;
}

static atm_status take_facts(const atm_value *root, atm_message *message, import_facts *facts)
{
    atm_status status = take_text(root, "program", message, &facts->program);

    if (status == ATM_OK)
        status = take_arguments(root, message, &facts->arguments);
    if (status == ATM_OK)
        status = take_text(root, "host", message, &facts->host);
    if (status == ATM_OK)
        status = take_text(root, "user", message, &facts->user);
    if (status == ATM_OK)
        status = take_text(root, "job", message, &facts->job);
    if (status == ATM_OK)
        status = take_text(root, "directory", message, &facts->directory);
    if (status == ATM_OK)
        status = atm_opt_integer(root, "rank", -1, INT32_MAX, message, &facts->rank);
    if (status == ATM_OK)
        status = atm_opt_integer(root, "ranks", 0, INT32_MAX, message, &facts->ranks);
    return status;
}

ath_status import_facts_read(const ath_spool *spool, const ath_block *block, atm_message *message,
                             import_facts *facts)
{
    import_facts read = {.rank = ath_spool_head(spool)->rank,
                         .ranks = ath_spool_head(spool)->ranks};
    atm_value *root = NULL;
    ath_status status = parse(block, ath_spool_path(spool), message, &root);

    if (status == ATH_OK)
        status = ath_status_of(take_facts(root, message, &read));
    atm_value_destroy(root);
    if (status != ATH_OK) {
        import_facts_clear(&read);
        return status;
    }
    import_facts_clear(facts);
    *facts = read;
    return ATH_OK;
}

/* --- calls */

static ath_status take_call(ath_database *database, const atm_value *pair, atm_message *message,
                            int64_t *id_p)
{
    const char *texts[2] = {"", ""};
    char *clean[2] = {NULL, NULL};
    const atm_value *array;
    atm_status said = atm_get_array(pair, NULL, 2, 2, message, &array);
    ath_status status;

    for (size_t i = 0; said == ATM_OK && i < 2; i++)
        said = atm_get_string(atm_value_item(array, i), NULL, message, &texts[i]);
    status = ath_status_of(said);
    for (size_t i = 0; status == ATH_OK && i < 2; i++)
        if ((clean[i] = ath_clean(texts[i], strlen(texts[i]))) == NULL)
            status = ATH_NO_MEMORY;
    if (status == ATH_OK)
        status = import_call(database, clean[1], clean[0], message, id_p);
    free(clean[0]);
    free(clean[1]);
    return status;
}

ath_status import_calls_read(ath_database *database, const ath_spool *spool, const ath_block *block,
                             atm_message *message, int64_t **calls_p, size_t *count_p)
{
    const atm_value *array = NULL;
    atm_value *root = NULL;
    int64_t *calls = NULL;
    size_t count = 0;
    ath_status status = parse(block, ath_spool_path(spool), message, &root);

    if (status == ATH_OK)
        status = ath_status_of(atm_get_array(root, NULL, 0, CALLS_MAX, message, &array));
    if (status == ATH_OK) {
        count = atm_value_length(array);
        calls = calloc(count + 1, sizeof(*calls));
        status = calls != NULL ? ATH_OK : ATH_NO_MEMORY;
    }
    for (size_t i = 0; status == ATH_OK && i < count; i++)
        status = take_call(database, atm_value_item(array, i), message, &calls[i]);
    atm_value_destroy(root);
    if (status != ATH_OK) {
        free(calls);
        return status;
    }
    free(*calls_p);
    *calls_p = calls;
    *count_p = count;
    return ATH_OK;
}
