/* Charts over names. */

#include "svg_boxes.h"

#include <math.h>
#include <string.h>

#include "page.h"

/* In units of the view box, which the page scales to its width. */
enum {
    WIDE = 1000,
    NARROW = 440,
    PLOT = 194, /* height of what is between the axes */
    LEFT = 56,
    RIGHT = 14,
    TOP = 30,
    NAME = 26 /* characters of a name that are shown */
};

typedef struct plot {
    const svg_names *names;
    svg_axis y;
    int width, height;
} plot;

/* Names hang from the axis at 60 degrees, each character about 5.5 wide. */
static plot plot_of(const svg_names *names)
{
    plot p = {.names = names, .width = names->wide ? WIDE : NARROW};
    size_t longest = 1;

    for (int i = 0; i < names->count; i++)
        longest = strlen(names->names[i]) > longest ? strlen(names->names[i]) : longest;
    p.height = TOP + PLOT + 34 + (int) (4.8 * (double) (longest < NAME ? longest : NAME));
    return p;
}

static double place_y(const plot *p, double y)
{
    return TOP + PLOT - (y - p->y.min) / (p->y.max - p->y.min) * PLOT;
}

/* Width of one name, and its middle. */
static double room(const plot *p)
{
    return (double) (p->width - LEFT - RIGHT) / (p->names->count > 0 ? p->names->count : 1);
}

static double middle(const plot *p, int index)
{
    return LEFT + (index + 0.5) * room(p);
}

static void draw_name(FILE *out, const plot *p, int index)
{
    const char *name = p->names->names[index];
    char text[4 * NAME + 8];
    size_t bytes = 0;
    int shown = 0;

    while (name[bytes] != '\0' && shown < NAME && bytes + 4 < sizeof(text) - 4) {
        bytes++;
        while ((name[bytes] & 0xc0) == 0x80) /* the rest of a character */
            bytes++;
        shown++;
    }
    snprintf(text, sizeof(text), "%.*s%s", (int) bytes, name, name[bytes] != '\0' ? "…" : "");
    fprintf(out,
            "<text class=\"tick\" transform=\"translate(%.1f %d) rotate(-60)\" "
            "text-anchor=\"end\">",
            middle(p, index) + 4, TOP + PLOT + 12);
    page_escape(out, text);
    fputs("</text>\n", out);
}

static void draw_axes(FILE *out, const plot *p)
{
    double ticks[SVG_TICKS];
    int count = svg_ticks(&p->y, ticks);
    char text[32];

    for (int i = 0; i < count; i++) {
        double y = place_y(p, ticks[i]);

        svg_value(text, sizeof(text), p->y.unit, ticks[i]);
        fprintf(out,
                "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
                LEFT, y, p->width - RIGHT, y, LEFT - 6, y + 3.5);
        page_escape(out, text);
        fputs("</text>\n", out);
    }
    for (int i = 0; i < p->names->count; i++)
        draw_name(out, p, i);
    fprintf(out,
            "<text class=\"axis\" transform=\"translate(12 %d) rotate(-90)\" "
            "text-anchor=\"middle\">",
            TOP + PLOT / 2);
    page_escape(out, p->names->y_label);
    fprintf(out, "</text>\n<text class=\"axis\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
            (LEFT + p->width - RIGHT) / 2, p->height - 6);
    page_escape(out, p->names->x_label);
    fputs("</text>\n", out);
}

static void begin(FILE *out, plot *p)
{
    svg_include(&p->y, &p->names->reference, 1);
    svg_round(&p->y);
    if (p->names->wide)
        fputs("<div class=\"scroll\">", out);
    fprintf(out, "<svg class=\"%s\" role=\"img\" viewBox=\"0 0 %d %d\"><title>",
            p->names->wide ? "wide" : "chart", p->width, p->height);
    page_escape(out, p->names->title);
    fputs("</title><desc>", out);
    page_escape(out, p->names->description);
    fputs("</desc>\n", out);
    draw_axes(out, p);
}

static void end(FILE *out, const plot *p)
{
    double y = place_y(p, p->names->reference);

    fprintf(out,
            "<line class=\"ref\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
            "<path class=\"frame\" d=\"M%d %dV%dH%d\"/></svg>%s\n",
            LEFT, y, p->width - RIGHT, y, LEFT, TOP, TOP + PLOT, p->width - RIGHT,
            p->names->wide ? "</div>" : "");
}

/* --- boxes */

static void draw_box(FILE *out, const plot *p, int index, const svg_box *box)
{
    double x = middle(p, index), half = fmin(0.35 * room(p), 24);
    int colour = box->colour % SVG_COLOURS;
    double low = place_y(p, box->low), lower = place_y(p, box->lower),
           median = place_y(p, box->median), upper = place_y(p, box->upper),
           high = place_y(p, box->high);

    fprintf(out,
            "<rect class=\"p c%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>",
            colour, x - half, upper, 2 * half, fmax(lower - upper, 0.5));
    page_print(out,
               "%s: median %.3g, quartiles %.3g to %.3g, 5 %% to 95 %% %.3g to %.3g, mean %.3g",
               p->names->names[index], box->median, box->lower, box->upper, box->low, box->high,
               box->mean);
    fprintf(out,
            "</title></rect><path class=\"l c%d\" d=\"M%.1f %.1fH%.1fM%.1f %.1fV%.1fM%.1f "
            "%.1fV%.1f\"/>",
            colour, x - half, median, x + half, x, low, lower, x, upper, high);
    fprintf(out, "<circle class=\"badge\" cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>\n", x,
            place_y(p, box->mean));
}

void svg_boxes(FILE *out, const svg_names *names, const svg_box *boxes)
{
    plot p = plot_of(names);

    for (int i = 0; i < names->count; i++) {
        const double ends[] = {boxes[i].low, boxes[i].high, boxes[i].mean};

        if (isfinite(boxes[i].median))
            svg_include(&p.y, ends, 3);
    }
    begin(out, &p);
    for (int i = 0; i < names->count; i++)
        if (isfinite(boxes[i].median))
            draw_box(out, &p, i, &boxes[i]);
    end(out, &p);
}

/* --- bars */

static void draw_bar(FILE *out, const plot *p, int index, int part, int parts, double value)
{
    double width = 0.84 * room(p) / parts, y = place_y(p, value), base = place_y(p, p->y.min);

    fprintf(out,
            "<rect class=\"p c%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>",
            part % SVG_COLOURS, middle(p, index) + (part - 0.5 * parts) * width, y,
            fmax(width - 0.5, 0.5), fmax(base - y, 0));
    page_print(out, "%s: %.3g", p->names->names[index], value);
    fputs("</title></rect>\n", out);
}

static void draw_legend(FILE *out, const char *const *names, int count)
{
    double x = LEFT;

    for (int i = 0; i < count; i++) {
        fprintf(out,
                "<rect class=\"p c%d\" x=\"%.1f\" y=\"8\" width=\"12\" height=\"12\"/>"
                "<text class=\"tick\" x=\"%.1f\" y=\"18\">",
                i % SVG_COLOURS, x, x + 17);
        page_escape(out, names[i]);
        fputs("</text>\n", out);
        x += 32 + 6.2 * (double) strlen(names[i]);
    }
}

void svg_bars(FILE *out, const svg_names *names, const double *values, int series,
              const char *const *series_names)
{
    const double nothing = 0;
    plot p = plot_of(names);

    svg_include(&p.y, &nothing, 1);
    svg_include(&p.y, values, names->count * series);
    begin(out, &p);
    draw_legend(out, series_names, series);
    for (int i = 0; i < names->count; i++)
        for (int k = 0; k < series; k++)
            if (isfinite(values[i * series + k]))
                draw_bar(out, &p, i, k, series, values[i * series + k]);
    end(out, &p);
}
