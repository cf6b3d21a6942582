/* Charts with two axes. */

#include "svg.h"

#include <math.h>

#include "page.h"

/* In units of the view box, which the page scales to its width. */
enum { WIDTH = 440, HEIGHT = 300, SQUARE = 400, LEFT = 62, RIGHT = 24, TOP = 30, BOTTOM = 46 };

static int height_of(const svg_chart *chart)
{
    return chart->square ? SQUARE : HEIGHT;
}

/* 0 at min, 1 at max */
static double part(const svg_axis *axis, double value)
{
    if (axis->log)
        return log(value / axis->min) / log(axis->max / axis->min);
    return (value - axis->min) / (axis->max - axis->min);
}

static double place_x(const svg_chart *chart, double x)
{
    return LEFT + part(&chart->x, x) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const svg_chart *chart, double y)
{
    return height_of(chart) - BOTTOM - part(&chart->y, y) * (height_of(chart) - BOTTOM - TOP);
}

static bool can_show(const svg_axis *axis, double value)
{
    return isfinite(value) && (!axis->log || value > 0);
}

static bool visible(const svg_chart *chart, double x, double y)
{
    return can_show(&chart->x, x) && can_show(&chart->y, y);
}

static void draw_x_axis(FILE *out, const svg_chart *chart)
{
    int bottom = height_of(chart) - BOTTOM, count;
    double ticks[SVG_TICKS];
    char text[32];

    count = svg_ticks(&chart->x, ticks);
    for (int i = 0; i < count; i++) {
        double x = place_x(chart, ticks[i]);

        svg_value(text, sizeof(text), chart->x.unit, ticks[i]);
        fprintf(out,
                "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>"
                "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">",
                x, TOP, x, bottom, x, bottom + 16);
        page_escape(out, text);
        fputs("</text>\n", out);
    }
    fprintf(out, "<text class=\"axis\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
            (LEFT + WIDTH - RIGHT) / 2, height_of(chart) - 8);
    page_escape(out, chart->x.label);
    fputs("</text>\n", out);
}

static void draw_y_axis(FILE *out, const svg_chart *chart)
{
    int middle = (TOP + height_of(chart) - BOTTOM) / 2, count;
    double ticks[SVG_TICKS];
    char text[32];

    count = svg_ticks(&chart->y, ticks);
    for (int i = 0; i < count; i++) {
        double y = place_y(chart, ticks[i]);

        svg_value(text, sizeof(text), chart->y.unit, ticks[i]);
        fprintf(out,
                "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
                LEFT, y, WIDTH - RIGHT, y, LEFT - 6, y + 3.5);
        page_escape(out, text);
        fputs("</text>\n", out);
    }
    fprintf(out,
            "<text class=\"axis\" transform=\"translate(12 %d) rotate(-90)\" "
            "text-anchor=\"middle\">",
            middle);
    page_escape(out, chart->y.label);
    fputs("</text>\n", out);
}

void svg_begin(FILE *out, svg_chart *chart)
{
    svg_round(&chart->x);
    svg_round(&chart->y);
    fprintf(out, "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 %d %d\"><title>", WIDTH,
            height_of(chart));
    page_escape(out, chart->title);
    fputs("</title><desc>", out);
    page_escape(out, chart->description);
    fputs("</desc>\n", out);
    draw_x_axis(out, chart);
    draw_y_axis(out, chart);
}

/* Circle, diamond, square, triangle: shapes tell series apart without colours. */
static void draw_shape(FILE *out, int colour, double x, double y)
{
    switch (colour % 4) {
        case 0:
            fprintf(out, "<circle class=\"p c%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"", colour, x, y);
            break;
        case 1:
            fprintf(out, "<path class=\"p c%d\" d=\"M%.1f %.1fl4 4l-4 4l-4 -4z\"", colour, x,
                    y - 4);
            break;
        case 2:
            fprintf(out, "<path class=\"p c%d\" d=\"M%.1f %.1fh6v6h-6z\"", colour, x - 3, y - 3);
            break;
        default:
            fprintf(out, "<path class=\"p c%d\" d=\"M%.1f %.1fl4 7h-8z\"", colour, x, y - 4);
    }
}

void svg_points(FILE *out, const svg_chart *chart, const svg_series *series)
{
    int colour = series->colour % SVG_COLOURS;

    for (int i = 0; i < series->count; i++) {
        if (!visible(chart, series->x[i], series->y[i]))
            continue;
        draw_shape(out, colour, place_x(chart, series->x[i]), place_y(chart, series->y[i]));
        if (series->label == NULL) {
            fputs("/>", out);
        } else {
            fputs("><title>", out);
            series->label(out, series->context, i);
            fprintf(out, "</title></%s>", colour % 4 == 0 ? "circle" : "path");
        }
    }
    fputs("\n", out);
}

void svg_line(FILE *out, const svg_chart *chart, const svg_series *series)
{
    fprintf(out, "<polyline class=\"l c%d\" points=\"", series->colour % SVG_COLOURS);
    for (int i = 0; i < series->count; i++)
        if (visible(chart, series->x[i], series->y[i]))
            fprintf(out, "%.1f,%.1f ", place_x(chart, series->x[i]), place_y(chart, series->y[i]));
    fputs("\"/>\n", out);
}

void svg_spans(FILE *out, const svg_chart *chart, const svg_series *series, const double *ends)
{
    fprintf(out, "<path class=\"s c%d\" d=\"", series->colour % SVG_COLOURS);
    for (int i = 0; i < series->count; i++)
        if (visible(chart, series->x[i], series->y[i]) && can_show(&chart->y, ends[i]))
            fprintf(out, "M%.1f %.1fV%.1f", place_x(chart, series->x[i]),
                    place_y(chart, series->y[i]), place_y(chart, ends[i]));
    fputs("\"/>\n", out);
}

void svg_reference(FILE *out, const svg_chart *chart, double x0, double y0, double x1, double y1)
{
    if (visible(chart, x0, y0) && visible(chart, x1, y1))
        fprintf(out, "<line class=\"ref\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                place_x(chart, x0), place_y(chart, y0), place_x(chart, x1), place_y(chart, y1));
}

void svg_legend(FILE *out, const svg_chart *chart, const svg_entry *entries, int count)
{
    double x = LEFT;

    (void) chart;
    for (int i = 0; i < count; i++) {
        const svg_entry *entry = &entries[i];
        int length = 0;

        if (entry->mark == SVG_MARK_POINT) {
            draw_shape(out, entry->colour % SVG_COLOURS, x + 8, 14);
            fputs("/>", out);
        } else {
            fprintf(out, "<line class=\"%s c%d\" x1=\"%.1f\" y1=\"14\" x2=\"%.1f\" y2=\"14\"/>",
                    entry->mark == SVG_MARK_LINE ? "l" : "ref", entry->colour % SVG_COLOURS, x,
                    x + 16);
        }
        fprintf(out, "<text class=\"tick\" x=\"%.1f\" y=\"18\">", x + 21);
        page_escape(out, entry->name);
        fputs("</text>\n", out);
        while (entry->name[length] != '\0')
            length++;
        x += 36 + 6.2 * length;
    }
}

void svg_end(FILE *out, const svg_chart *chart)
{
    int bottom = height_of(chart) - BOTTOM;

    fprintf(out, "<path class=\"frame\" d=\"M%d %dV%dH%d\"/></svg>\n", LEFT, TOP, bottom,
            WIDTH - RIGHT);
}
