/* Spools: imported or refused with a sentence, whole or not at all; sums over what a history then
 * has can be told. */

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "history/import.h"
#include "formats/spool_blocks.h"

static ath_database *history;

static int64_t number(const char *sql)
{
    atm_message message = {""};
    int64_t number = 0;
    ath_status status = ath_query_integer(history, sql, NULL, 0, &message, &number);

    require(status == ATH_OK, message.text[0] != '\0' ? message.text : "no number");
    return number;
}

static char folder[64], database[80];

static void end(void)
{
    ath_close(history);
    unlink(database);
    rmdir(folder);
}

/* An empty one. */
static void begin(void)
{
    atm_message message = {""};

    if (history == NULL) {
        strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/fuzz-XXXXXX" : "/tmp/fuzz-XXXXXX");
        require(mkdtemp(folder) != NULL, folder);
        snprintf(database, sizeof(database), "%s/history.db", folder);
        atexit(end);
    }
    ath_close(history);
    unlink(database);
    require(ath_open(database, ATH_WRITE, &message, &history) == ATH_OK, message.text);
}

/* As if it was of whoever runs this. */
static uint8_t *own(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    uint32_t uid = (uint32_t) geteuid();

    require(copy != NULL, "no memory");
    memcpy(copy, data, size);
    if (size >= sizeof(atw_spool_head))
        memcpy(copy + offsetof(atw_spool_head, uid), &uid, sizeof(uid));
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ath_import_limits any; /* however small the disk is */
    static unsigned runs;
    uint8_t *spool = own(data, size);
    ath_imported sum = {0};
    atm_message message = {""};
    bool whole = false;
    int64_t before;
    ath_status status;

    if (runs++ % 1000 == 0)
        begin();
    before = number("SELECT count(*) FROM process");
    status = ath_import_spool(history, fuzz_file(spool, size), &any, &message, &sum, &whole);
    if (status != ATH_OK) {
        require(status == ATH_BAD_FILE || status == ATH_NO_ACCESS, ath_status_text(status));
        require_message(&message);
        require(number("SELECT count(*) FROM process") == before, "part of it is there");
    } else {
        number("SELECT " ATH_SUM("bytes") " FROM activity");
        number("SELECT " ATH_SUM("duration") " FROM activity");
        number("SELECT " ATH_SUM("bytes") " FROM use");
    }
    free(spool);
    return 0;
}
