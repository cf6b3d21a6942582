/*
 * What the targets share.  Each is a file that takes any bytes as what one parser reads, and
 * aborts where that breaks a promise; `targets` lists them.
 */

#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "atm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts, and says what. */
void require(bool condition, const char *what);

/* A sentence without control characters. */
void require_message(const atm_message *message);

/* The data as a text that ends with a 0 and is allocated no longer than that; free it. */
char *fuzz_text(const uint8_t *data, size_t size);

/* The path of a file with these bytes, until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

#endif /* FUZZ_H */
