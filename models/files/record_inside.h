/* What the files record*.c share. */

#ifndef RECORD_H
#define RECORD_H

#include "record.h"

enum { RECORD_TIME = 32 };

/* UTC as ISO 8601 has it; false beyond years of four digits. */
bool record_time_text(time_t when, char text_p[RECORD_TIME]);

#endif /* RECORD_H */
