/* Lines that a crash must not lose. */

#ifndef DURABLE_H
#define DURABLE_H

#include <stdbool.h>
#include <stddef.h>

/* All of the text, on the disk; false, with errno. */
bool durable_write(int file, const char *text, size_t length);

/* The name of a new file is safe once its folder is. */
void durable_name(const char *path);

#endif /* DURABLE_H */
