/* What the unit tests of autotune-probe share. */

#ifndef HELP_H
#define HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#endif /* HELP_H */
