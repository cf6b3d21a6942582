/* Numbers as people read them: three digits and a unit; "-" for what is no number. */

#ifndef UNITS_H
#define UNITS_H

enum { UNITS_TEXT = 24 };

typedef struct units_text {
    char text[UNITS_TEXT];
} units_text;

units_text units_seconds(double seconds);       /* "1.2 ms" */
units_text units_bytes(double bytes);           /* "16 MiB" */
units_text units_rate(double bytes_per_second); /* "1.2 GB/s" */
units_text units_share(double share);           /* "12 %" */
units_text units_number(double number);         /* "0.93", "1024" */

#endif /* UNITS_H */
