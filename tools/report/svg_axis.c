/* Axes: what they hold, where they end, where their ticks are. */

#include <math.h>
#include <stdio.h>

#include "svg.h"
#include "common/units.h"

void svg_value(char *text, size_t size, svg_unit unit, double value)
{
    units_text words = unit == SVG_SECONDS ? units_seconds(value)
                       : unit == SVG_BYTES ? units_bytes(value)
                       : unit == SVG_SHARE ? units_share(value)
                                           : units_number(value);

    snprintf(text, size, "%s", words.text);
}

void svg_include(svg_axis *axis, const double *values, int count)
{
    for (int i = 0; i < count; i++) {
        double value = values[i];

        if (!isfinite(value) || (axis->log && value <= 0))
            continue;
        if (!axis->used)
            axis->min = axis->max = value;
        axis->used = true;
        axis->min = fmin(axis->min, value);
        axis->max = fmax(axis->max, value);
    }
}

/* Powers of which number a logarithmic axis counts in */
static double base(const svg_axis *axis)
{
    return axis->base > 0 ? axis->base : axis->unit == SVG_BYTES ? 2 : 10;
}

/* 1, 2 or 5 times a power of ten, for about six ticks; of bytes, a power of two */
static double linear_step(const svg_axis *axis)
{
    double rough = (axis->max - axis->min) / 6, power = pow(10, floor(log10(rough)));
    double factor = rough / power;

    if (axis->unit == SVG_BYTES)
        return pow(2, ceil(log2(rough)));
    return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
}

void svg_round(svg_axis *axis)
{
    if (!axis->used) {
        axis->min = axis->log ? 1 : 0;
        axis->max = axis->log ? 10 : 1;
        axis->used = true;
    }
    if (axis->log) {
        double b = base(axis), low = floor(log(axis->min) / log(b) + 1e-9),
               high = ceil(log(axis->max) / log(b) - 1e-9);

        axis->min = pow(b, low);
        high = high > low ? high : low + 1;
        axis->max = pow(b, high);
        axis->step = ceil((high - low) / 6);
    } else {
        if (axis->max <= axis->min) {
            double room = axis->min != 0 ? fabs(axis->min) * 0.1 : 1;

            axis->min -= room;
            axis->max += room;
        }
        axis->step = linear_step(axis);
        axis->min = floor(axis->min / axis->step + 1e-9) * axis->step;
        axis->max = ceil(axis->max / axis->step - 1e-9) * axis->step;
    }
}

int svg_ticks(const svg_axis *axis, double ticks[SVG_TICKS])
{
    int count = 0;

    if (axis->log) {
        double b = base(axis), low = round(log(axis->min) / log(b)),
               high = round(log(axis->max) / log(b));

        for (double power = low; power <= high && count < SVG_TICKS; power += axis->step)
            ticks[count++] = pow(b, power);
    } else {
        for (int i = 0; count < SVG_TICKS; i++) {
            double tick = axis->min + i * axis->step;

            if (tick > axis->max + axis->step / 1000)
                break;
            /* 0 and not 1e-17 */
            ticks[count++] = fabs(tick) < axis->step / 1000 ? 0 : tick;
        }
    }
    return count;
}
