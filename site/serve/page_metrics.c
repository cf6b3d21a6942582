/* Metrics for Prometheus, in the text form of OpenMetrics 1.0.  What pruning makes less is a gauge,
 * not a counter. */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "judged.h"
#include "page_metrics.h"

#define NAME "romio_autotune_"

void metrics_label(FILE *out, const char *name, const char *value)
{
    fprintf(out, "{%s=\"", name);
    for (; *value != '\0'; value++) {
        if (*value == '\n') {
            fputs("\\n", out);
        } else {
            if (*value == '"' || *value == '\\')
                fputc('\\', out);
            fputc(*value, out);
        }
    }
    fputs("\"}", out);
}

static void begin(FILE *out, const char *name, const char *type, const char *help)
{
    fprintf(out, "# TYPE " NAME "%s %s\n# HELP " NAME "%s %s\n", name, type, name, help);
}

static void put_one(FILE *out, const char *name, const char *help, double value)
{
    begin(out, name, "gauge", help);
    fprintf(out, NAME "%s %.17g\n", name, value);
}

/* --- how much there is */

static ath_status put_sums(const ath_cell *cells, int count, void *context)
{
    static const char *const sums[][2] = {
        {"processes", "Processes that were watched."},
        {"activities", "Activities of these."},
        {"activities_dropped", "Activities that found no room in a process."},
        {"files", "Files that are known."},
        {"records", "Files opened through the driver."},
        {"trials", "Trials of settings."},
        {"import_timestamp_seconds", "When a spool was imported last."}};

    for (int i = 0; i < count; i++)
        put_one(context, sums[i][0], sums[i][1], cell_number(&cells[i]));
    return ATH_OK;
}

/* --- by layer */

enum { LAYERS = 16, LAYER = 64 };

typedef struct layers {
    int count;
    char names[LAYERS][LAYER];
    double values[LAYERS][4];
} layers;

static ath_status keep_layer(const ath_cell *cells, int count, void *context)
{
    layers *all = context;

    (void) count;
    if (all->count == LAYERS)
        return ATH_OK;
    snprintf(all->names[all->count], LAYER, "%s", cell_words(&cells[0]));
    for (int i = 0; i < 4; i++)
        all->values[all->count][i] = cell_number(&cells[1 + i]) / (i == 2 ? 1e9 : 1);
    all->count++;
    return ATH_OK;
}

static void put_layers(FILE *out, const layers *all)
{
    static const char *const families[][2] = {
        {"layer_activities", "Activities by layer."},
        {"layer_bytes", "Bytes that they read and wrote, by layer."},
        {"layer_busy_seconds", "Time that they took, by layer."},
        {"layer_errors", "Activities that failed, by layer."}};

    for (int i = 0; i < 4; i++) {
        begin(out, families[i][0], "gauge", families[i][1]);
        for (int k = 0; k < all->count; k++) {
            fprintf(out, NAME "%s", families[i][0]);
            metrics_label(out, "layer", all->names[k]);
            fprintf(out, " %.17g\n", all->values[k][i]);
        }
    }
}

/* --- of the last day: what the module histogram said */

static ath_status put_judged(serve_visit *visit)
{
    judged j = {.kinds = NULL};
    double sums[JUDGED_VERDICTS] = {0};
    ath_status status;

    visit->ask.since = (double) time(NULL) - 86400;
    status = judged_read(visit, &j);
    for (size_t i = 0; status == ATH_OK && i < j.count; i++)
        for (int k = 0; k < JUDGED_VERDICTS; k++)
            sums[k] += (double) j.kinds[i].verdicts[k];
    if (status == ATH_OK) {
        begin(visit->out, "judged_activities", "gauge",
              "Activities of processes that began in the last day, by how long they took for their "
              "kind.");
        for (int k = 0; k < JUDGED_VERDICTS; k++) {
            fputs(NAME "judged_activities", visit->out);
            metrics_label(visit->out, "verdict", judged_names[k]);
            fprintf(visit->out, " %.17g\n", sums[k]);
        }
    }
    free(j.kinds);
    return status;
}

/* --- of ourselves */

static void put_requests(FILE *out, serve_site *site)
{
    begin(out, "serve_requests", "counter", "Requests that were answered, by class of status.");
    for (int i = 2; i < SERVE_CLASSES; i++) {
        char class[16];

        snprintf(class, sizeof(class), "%dxx", i);
        fputs(NAME "serve_requests_total", out);
        metrics_label(out, "status", class);
        fprintf(out, " %llu\n", (unsigned long long) atomic_load(&site->answered[i]));
    }
    begin(out, "build", "info", "The version that answers.");
    fputs(NAME "build_info", out);
    metrics_label(out, "version", PACKAGE_VERSION);
    fputs(" 1\n", out);
}

#define DROPPED ATH_SUM("dropped")
#define BYTES ATH_SUM("u.bytes")
#define BUSY ATH_SUM("u.busy")

static serve_status write_metrics(serve_visit *visit)
{
    layers all = {.count = 0};
    ath_status status = visit_query(
        visit,
        "SELECT (SELECT count(*) FROM process), (SELECT coalesce(sum(activities), 0) FROM "
        "process), (SELECT coalesce(" DROPPED ", 0) FROM process), (SELECT count(*) FROM file), "
        "(SELECT count(*) FROM record), (SELECT count(*) FROM trial), "
        "(SELECT coalesce(max(imported), 0) FROM source)",
        NULL, 0, put_sums, visit->out);

    if (status == ATH_OK)
        status = visit_query(visit,
                             "SELECT c.layer, sum(u.activities), " BYTES ", " BUSY ", "
                             "sum(u.errors) FROM use u JOIN call c ON c.id = u.call GROUP BY "
                             "c.layer ORDER BY c.layer",
                             NULL, 0, keep_layer, &all);
    if (status == ATH_OK) {
        put_layers(visit->out, &all);
        status = put_judged(visit);
    }
    put_requests(visit->out, visit->site);
    fputs("# EOF\n", visit->out);
    return serve_status_of(status);
}

const serve_page page_metrics = {.path = "/metrics",
                                 .type =
                                     "application/openmetrics-text; version=1.0.0; charset=utf-8",
                                 .write = write_metrics};
