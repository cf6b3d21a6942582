/*
 * Numbers are read and printed with a decimal point in every locale: between
 * enter and leave the calling thread, and no other, is in locale "C".
 */

#ifndef ATM_LOCALE_H
#define ATM_LOCALE_H

#include <locale.h>

#include "atm.h"

typedef struct atm_locale {
    locale_t c, before;
} atm_locale;

/* Cannot fail with glibc and musl, where "C" is no allocation. */
static inline atm_locale atm_locale_enter(void)
{
    atm_locale locale = {newlocale(LC_ALL_MASK, "C", (locale_t) 0), (locale_t) 0};

    if (locale.c)
        locale.before = uselocale(locale.c);
    return locale;
}

static inline void atm_locale_leave(atm_locale locale)
{
    if (locale.c) {
        uselocale(locale.before);
        freelocale(locale.c);
    }
}

#endif /* ATM_LOCALE_H */
