/* Heat maps. */

#include <math.h>
#include <string.h>

#include "page.h"
#include "svg.h"

enum { LEFT = 74, TOP = 14, BOTTOM = 100, RIGHT = 10 };

static int cell_width(const svg_heat *heat)
{
    return heat->dense ? 16 : 74;
}

static int cell_height(const svg_heat *heat)
{
    return heat->dense ? (heat->rows > 64 ? 5 : 12) : 30;
}

/* Names are at every so many cells, so that none covers the next. */
static int name_step(int needed, int cell)
{
    return (needed + cell - 1) / cell;
}

/* Dark to light, readable with any colour vision and in grey: five stations of
 * matplotlib's cividis (Nunez, Anderton, Renslow, PLoS ONE 13(7), 2018). */
static const unsigned char ramp[][3] = {
    {0, 32, 77}, {66, 78, 108}, {124, 123, 120}, {185, 172, 112}, {253, 231, 55}};

enum { STATIONS = sizeof(ramp) / sizeof(ramp[0]) };

typedef struct colour {
    int red, green, blue;
    bool light; /* black text is more readable on it than white */
} colour;

/* Relative luminance of WCAG 2; black and white contrast alike at 0.179. */
static double linear(int channel)
{
    double part = channel / 255.0;

    return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static bool is_light(const colour *colour)
{
    return 0.2126 * linear(colour->red) + 0.7152 * linear(colour->green) +
               0.0722 * linear(colour->blue) >
           0.179;
}

/* The best value is the lightest. */
static colour colour_of(double part)
{
    double place = (1 - part) * (STATIONS - 1);
    int station = place >= STATIONS - 1 ? STATIONS - 2 : (int) place;
    double share = place - station;
    const unsigned char *one = ramp[station], *next = ramp[station + 1];
    colour mixed;

    mixed.red = (int) (one[0] + share * (next[0] - one[0]));
    mixed.green = (int) (one[1] + share * (next[1] - one[1]));
    mixed.blue = (int) (one[2] + share * (next[2] - one[2]));
    mixed.light = is_light(&mixed);
    return mixed;
}

/* Logarithmic where all values allow it: times differ by factors. */
static void range_of(const svg_heat *heat, double *min_p, double *max_p)
{
    double min = INFINITY, max = -INFINITY;

    for (int i = 0; i < heat->rows * heat->columns; i++)
        if (isfinite(heat->values[i])) {
            min = fmin(min, heat->values[i]);
            max = fmax(max, heat->values[i]);
        }
    *min_p = min;
    *max_p = max;
}

static double part_of(double value, double min, double max)
{
    if (!(max > min))
        return 0;
    return min > 0 ? log(value / min) / log(max / min) : (value - min) / (max - min);
}

static void draw_text(FILE *out, const char *class, double x, double y, const char *anchor,
                      const char *text)
{
    fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", class, x, y,
            anchor);
    page_escape(out, text);
    fputs("</text>", out);
}

/* Left open: the caller ends it. */
static void draw_tip(FILE *out, const svg_heat *heat, int row, int column, const char *text)
{
    fputs("<title>", out);
    page_escape(out, heat->y_label);
    fputs(" ", out);
    page_escape(out, heat->row_names[row]);
    fputs(", ", out);
    page_escape(out, heat->x_label);
    fputs(" ", out);
    page_escape(out, heat->column_names[column]);
    fputs(": ", out);
    page_escape(out, text);
}

static void draw_cell(FILE *out, const svg_heat *heat, int row, int column, double min, double max)
{
    int index = row * heat->columns + column, width = cell_width(heat), height = cell_height(heat),
        x = LEFT + column * width, y = TOP + row * height;
    bool dim = heat->dim != NULL && heat->dim[index];
    char text[32];
    colour fill;

    if (!isfinite(heat->values[index])) {
        fprintf(out, "<rect class=\"none\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", x, y,
                width - 1, height - 1);
        return;
    }
    fill = colour_of(part_of(heat->values[index], min, max));
    svg_value(text, sizeof(text), heat->unit, heat->values[index]);
    fprintf(out, "<g><rect%s x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%02x%02x%02x\"/>",
            dim ? " class=\"dim\"" : "", x, y, width - 1, height - 1, fill.red, fill.green,
            fill.blue);
    if (!heat->dense)
        draw_text(out,
                  dim          ? "ondim"
                  : fill.light ? "onlight"
                               : "ondark",
                  x + width / 2.0, y + 19, "middle", text);
    draw_tip(out, heat, row, column, text);
    fputs(dim ? ", not allowed</title></g>\n" : "</title></g>\n", out);
}

/* Frames first, so that none crosses a badge. */
static void draw_flags(FILE *out, const svg_heat *heat)
{
    int width = cell_width(heat), height = cell_height(heat);

    for (int i = 0; i < heat->flag_count; i++)
        fprintf(out, "<rect class=\"flag\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>",
                LEFT + heat->flags[i].column * width, TOP + heat->flags[i].row * height, width - 1,
                height - 1);
    for (int i = 0; i < heat->flag_count; i++) {
        const svg_flag *flag = &heat->flags[i];
        int x = LEFT + flag->column * width + 4, y = TOP + flag->row * height + 2;

        for (const svg_flag *other = heat->flags; other < flag; other++)
            if (other->row == flag->row && other->column == flag->column)
                x += 17;
        fprintf(out, "<circle class=\"badge\" cx=\"%d\" cy=\"%d\" r=\"8\"/>", x, y);
        draw_text(out, "badgetext", x, y + 3.5, "middle", flag->text);
    }
    fputs("\n", out);
}

static void draw_names(FILE *out, const svg_heat *heat)
{
    int width = cell_width(heat), height = cell_height(heat), bottom = TOP + heat->rows * height;

    for (int row = 0; row < heat->rows; row += name_step(12, height))
        draw_text(out, "tick", LEFT - 6, TOP + row * height + height / 2.0 + 4, "end",
                  heat->row_names[row]);
    for (int column = 0; column < heat->columns; column += name_step(72, width))
        draw_text(out, "tick", LEFT + column * width + width / 2.0, bottom + 14, "middle",
                  heat->column_names[column]);
    draw_text(out, "axis", LEFT + heat->columns * width / 2.0, bottom + 32, "middle",
              heat->x_label);
    fprintf(out,
            "<text class=\"axis\" transform=\"translate(12 %d) rotate(-90)\" "
            "text-anchor=\"middle\">",
            (TOP + bottom) / 2);
    page_escape(out, heat->y_label);
    fputs("</text>\n", out);
}

/* Width of a flag's entry in the key: ten-point letters are about 6 wide. */
static int flag_width(const svg_flag *flag)
{
    return 36 + 6 * (int) strlen(flag->name);
}

typedef struct swatch {
    const char *style, *meaning;
    bool shown;
} swatch;

/* What pale and empty cells mean, where there are any. */
static void draw_swatches(FILE *out, const svg_heat *heat, int y)
{
    swatch swatches[] = {
        {"class=\"dim\" fill=\"#424e6c\"", "pale: not allowed", false},
        {"class=\"none\"", heat->nothing != NULL ? heat->nothing : "empty: no candidate", false}};
    int x = LEFT;

    for (int i = 0; i < heat->rows * heat->columns; i++) {
        bool value = isfinite(heat->values[i]);

        swatches[0].shown |= value && heat->dim != NULL && heat->dim[i];
        swatches[1].shown |= !value;
    }
    for (int i = 0; i < 2; i++) {
        if (!swatches[i].shown)
            continue;
        fprintf(out, "<rect %s x=\"%d\" y=\"%d\" width=\"24\" height=\"14\"/>", swatches[i].style,
                x, y);
        draw_text(out, "tick", x + 30, y + 11, "start", swatches[i].meaning);
        x += 50 + 6 * (int) strlen(swatches[i].meaning);
    }
    fputs("\n", out);
}

/* The ramp with its ends, and what the flags mean. */
static void draw_key(FILE *out, const svg_heat *heat, double min, double max)
{
    int y = TOP + heat->rows * cell_height(heat) + 46, x = LEFT;
    char text[32];

    svg_value(text, sizeof(text), heat->unit, min);
    draw_text(out, "tick", x - 6, y + 11, "end", text);
    for (int i = 0; i < 40; i++) {
        colour fill = colour_of(i / 39.0);

        fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"4\" height=\"14\" fill=\"#%02x%02x%02x\"/>",
                x + 3 * i, y, fill.red, fill.green, fill.blue);
    }
    svg_value(text, sizeof(text), heat->unit, max);
    draw_text(out, "tick", x + 128, y + 11, "start", text);
    x += 200;
    for (int i = 0; i < heat->flag_count; i++) {
        fprintf(out, "<circle class=\"badge\" cx=\"%d\" cy=\"%d\" r=\"8\"/>", x, y + 7);
        draw_text(out, "badgetext", x, y + 10.5, "middle", heat->flags[i].text);
        draw_text(out, "tick", x + 12, y + 11, "start", heat->flags[i].name);
        x += flag_width(&heat->flags[i]);
    }
    fputs("\n", out);
}

void svg_heat_map(FILE *out, const svg_heat *heat)
{
    int width = LEFT + heat->columns * cell_width(heat) + RIGHT, key = LEFT + 200;
    double min, max;

    for (int i = 0; i < heat->flag_count; i++)
        key += flag_width(&heat->flags[i]);
    width = width > key ? width : key;
    range_of(heat, &min, &max);
    fprintf(out, "<svg class=\"heat\" role=\"img\" viewBox=\"0 0 %d %d\"", width,
            TOP + heat->rows * cell_height(heat) + BOTTOM);
    if (!heat->unstyled)
        fprintf(out, " style=\"max-width:%dpx\"", width * 5 / 4);
    fputs("><title>", out);
    page_escape(out, heat->title);
    fputs("</title><desc>", out);
    page_escape(out, heat->description);
    fputs("</desc>\n", out);
    draw_names(out, heat);
    for (int row = 0; row < heat->rows; row++)
        for (int column = 0; column < heat->columns; column++)
            draw_cell(out, heat, row, column, min, max);
    draw_flags(out, heat);
    draw_key(out, heat, min, max);
    draw_swatches(out, heat, TOP + heat->rows * cell_height(heat) + 68);
    fputs("</svg>\n", out);
}
