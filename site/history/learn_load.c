/* Samples of a history. */

#include "learn_inside.h"

/* 0 to 11 as in the statement */
static ath_status add(const ath_cell *cells, int count, void *context)
{
    (void) count;
    return ath_samples_add(context, &(ath_sample){.program = cells[0].text,
                                                  .user = cells[1].text,
                                                  .file = cells[2].text,
                                                  .settings = cells[3].text,
                                                  .write = cells[4].integer != 0,
                                                  .origin = (ath_origin) cells[5].integer,
                                                  .ranks = (int) cells[6].integer,
                                                  .bytes = cells[7].real,
                                                  .seconds = cells[8].real,
                                                  .when = cells[9].real,
                                                  .independent = cells[10].integer != 0});
}

ath_status ath_samples_load(ath_database *database, double since, atm_message *message,
                            ath_samples *samples_p)
{
    ath_samples samples = {.at = NULL};
    ath_cell cell = ath_real(since);
    ath_status status =
        ath_query(database,
                  "SELECT r.program, r.username, f.path, t.settings, t.writes, t.origin, r.ranks, "
                  "t.bytes, t.seconds, r.started, t.independent FROM trial t JOIN record r ON r.id "
                  "= t.record "
                  "JOIN file f ON f.id = r.file WHERE r.started >= $1 ORDER BY r.started, r.id",
                  &cell, 1, add, &samples, message);

    if (status == ATH_OK)
        *samples_p = samples;
    else
        ath_samples_destroy(&samples);
    return status;
}
