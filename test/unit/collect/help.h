/* For unit tests of site/collect: what all include. */

#ifndef COLLECT_HELP_H
#define COLLECT_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#endif /* COLLECT_HELP_H */
