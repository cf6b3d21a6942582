/* The figure of the results: a file of its own, which no page's style colours. */

#include <math.h>

#include "report/page.h"
#include "results.h"

/* Units of the view box. */
enum { WIDTH = 760, LEFT = 250, RIGHT = 20, TOP = 34, ROW = 26, GAP = 12, BOTTOM = 40 };

static const char *const colours[RESULTS_MODES] = {"#2166ac", "#b2182b"};
static const double ticks[] = {0.25, 0.5, 0.7, 1, 1.4, 2, 4, 8, 16};

enum { TICKS = sizeof(ticks) / sizeof(ticks[0]) };

/* Range of a logarithmic axis. */
typedef struct range {
    double low, high;
} range;

static double place(range r, double speedup)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * log(speedup / r.low) / log(r.high / r.low);
}

static range range_of(study *const *studies, int count)
{
    range r = {1, 1};

    for (int i = 0; i < count; i++)
        for (int k = 0; k < RESULTS_MODES; k++) {
            results_mode mode = results_evidence(studies[i], k);

            for (int n = 0; mode.strategy != NULL && n < studies[i]->instances; n++) {
                double speedup = study_speedup(studies[i], mode.strategy, n);

                if (isnan(speedup))
                    continue;
                r.low = fmin(r.low, speedup);
                r.high = fmax(r.high, speedup);
            }
        }
    return (range){r.low / 1.05, r.high * 1.05};
}

static void draw_axis(FILE *out, range r, int height)
{
    for (int i = 0; i < TICKS; i++) {
        double x = place(r, ticks[i]);

        if (ticks[i] < r.low || ticks[i] > r.high)
            continue;
        fprintf(out,
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\"%s/>\n"
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
                x, x, TOP, height - BOTTOM, ticks[i] == 1 ? "#333" : "#ddd",
                ticks[i] == 1 ? " stroke-dasharray=\"4 3\"" : "", x, height - BOTTOM + 16,
                ticks[i]);
    }
    fprintf(out,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">speed-up over the default</text>\n",
            (LEFT + WIDTH - RIGHT) / 2, height - 6);
}

/* Dots of the instances, and a line at their geometric mean. */
static void draw_row(FILE *out, range r, const study *study, int k, int y)
{
    results_mode mode = results_evidence(study, k);
    study_summary s;

    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 12, y + 4);
    page_escape(out, study->sweep->name);
    fprintf(out, ", %s%s</text>\n", mode.name, mode.ran ? "" : " *");
    if (mode.strategy == NULL)
        return;
    for (int i = 0; i < study->instances; i++) {
        double speedup = study_speedup(study, mode.strategy, i);

        if (!isnan(speedup))
            fprintf(out,
                    "<circle cx=\"%.1f\" cy=\"%d\" r=\"4\" fill=\"%s\" fill-opacity=\".45\"/>\n",
                    place(r, speedup), y, colours[k]);
    }
    study_summarise(study, mode.strategy, &s);
    fprintf(out,
            "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" "
            "stroke-width=\"3\"/>\n",
            place(r, s.gain), place(r, s.gain), y - 9, y + 9, colours[k]);
}

void results_figure(FILE *out, study *const *studies, int count)
{
    int height = TOP + count * (RESULTS_MODES * ROW + GAP) + BOTTOM;
    range r = range_of(studies, count);

    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n"
            "<title>Speed-up over ROMIO's default by ground and mode of the driver</title>\n"
            "<desc>A dot for each instance, a bar at their geometric mean; * looked up in the "
            "sweep.</desc>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
            "<text x=\"%d\" y=\"18\">a dot: an instance; a bar: their geometric mean; *: looked up "
            "in the sweep</text>\n",
            WIDTH, height, WIDTH, WIDTH, height, LEFT);
    draw_axis(out, r, height);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < RESULTS_MODES; k++)
            draw_row(out, r, studies[i], k,
                     TOP + i * (RESULTS_MODES * ROW + GAP) + k * ROW + (ROW + GAP) / 2);
    fputs("</svg>\n", out);
}
