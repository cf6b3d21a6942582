/* All databases that there are. */

#include "back_end.h"

#include <string.h>

static const ath_back_end *const back_ends[] = {
#ifdef HAVE_LIBPQ
    &ath_postgresql,
#endif
    &ath_sqlite};

const ath_back_end *ath_back_end_of(const char *address, atm_message *message)
{
    for (size_t i = 0; i < sizeof(back_ends) / sizeof(back_ends[0]); i++)
        if (back_ends[i]->takes(address))
            return back_ends[i];
    if (strstr(address, "://") == NULL) {
        ath_complain(ATH_NO_ACCESS, message,
                     "the address of the database has a password in it, but "
                     "is none of PostgreSQL's");
        return NULL;
    }
    ath_complain(ATH_NO_ACCESS, message,
                 "%.*s: this autotune was built without a database of that kind",
                 (int) strcspn(address, ":") + 3, address);
    return NULL;
}
