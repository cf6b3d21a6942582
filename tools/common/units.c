/* Numbers as people read them. */

#include "units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static units_text with_unit(double number, double step, const char *const *units, int count)
{
    units_text text;
    int unit = 0;

    while (unit + 1 < count && fabs(number) >= step * 0.9995) {
        number /= step;
        unit++;
    }
    snprintf(text.text, sizeof(text.text), fabs(number) < 999.5 ? "%.3g %s" : "%.0f %s", number,
             units[unit]);
    return text;
}

units_text units_seconds(double seconds)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    units_text text;

    if (!isfinite(seconds)) {
        strcpy(text.text, "-");
        return text;
    }
    return with_unit(seconds * 1e9, 1000, units, 4);
}

units_text units_bytes(double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    units_text text;
    int unit = 0;

    if (!isfinite(bytes)) {
        strcpy(text.text, "-");
        return text;
    }
    while (unit < 4 && bytes >= 1024) {
        bytes /= 1024;
        unit++;
    }
    snprintf(text.text, sizeof(text.text), "%.*g %s", bytes < 999.5 ? 3 : 4, bytes, units[unit]);
    return text;
}

units_text units_rate(double bytes_per_second)
{
    static const char *const units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
    units_text text;

    if (!isfinite(bytes_per_second)) {
        strcpy(text.text, "-");
        return text;
    }
    return with_unit(bytes_per_second, 1000, units, 5);
}

units_text units_share(double share)
{
    units_text text;

    if (!isfinite(share))
        strcpy(text.text, "-");
    else
        snprintf(text.text, sizeof(text.text), fabs(share) < 9.995 ? "%.3g %%" : "%.0f %%",
                 share * 100);
    return text;
}

units_text units_number(double number)
{
    units_text text;

    if (!isfinite(number))
        strcpy(text.text, "-");
    else
        snprintf(text.text, sizeof(text.text), "%.4g", number);
    return text;
}
