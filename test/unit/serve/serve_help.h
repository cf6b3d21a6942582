/* Help for tests of pages: the spools of make_spools, in the folder "spools". */

#ifndef SERVE_HELP_H
#define SERVE_HELP_H

#include "unit/history/history_help.h"

#include <dirent.h>

#include "history/import.h"

static inline void import_spools(ath_database *database)
{
    struct dirent **names;
    int count = scandir("spools", &names, NULL, alphasort);

    assert_true(count > 2);
    for (int i = 0; i < count; i++) {
        ath_imported sum = {0};
        atm_message message = {""};
        char path[512];
        bool whole;

        snprintf(path, sizeof(path), "spools/%s", names[i]->d_name);
        if (strstr(path, ".spool") != NULL &&
            ath_import_spool(database, path, NULL, &message, &sum, &whole) != ATH_OK)
            fail_msg("%s", message.text);
        free(names[i]);
    }
    free(names);
}

#endif /* SERVE_HELP_H */
