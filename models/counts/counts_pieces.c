/* Rounds, windows and messages of file domains, from the list of all pieces. */

#include <stdlib.h>

#include "counts_inside.h"

static uint64_t last_byte(const atm_piece *piece)
{
    return piece->offset + piece->length - 1;
}

bool counts_pieces_in_order(const atm_piece *pieces, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const atm_piece *piece = &pieces[i];
        if (piece->rank < 0 || piece->rank >= COUNTS_MAX_RANKS || piece->length == 0 ||
            piece->offset >= COUNTS_MAX_OFFSET || piece->length > COUNTS_MAX_OFFSET - piece->offset)
            return false;
        if (i > 0 && (piece->offset < piece[-1].offset ||
                      (piece->offset == piece[-1].offset && piece->rank <= piece[-1].rank)))
            return false;
    }
    return count > 0;
}

bool counts_pieces_fit(const atm_job *job, const atm_access *access)
{
    uint64_t bytes = 0;

    if (!counts_pieces_in_order(access->pieces, access->piece_count) ||
        access->pieces[0].offset != access->start)
        return false;
    for (size_t i = 0; i < access->piece_count; i++) {
        const atm_piece *piece = &access->pieces[i];
        if (piece->rank >= job->ranks || piece->offset + piece->length - 1 > access->end ||
            piece->length > access->bytes - bytes)
            return false;
        bytes += piece->length;
    }
    return bytes == access->bytes;
}

atm_status counts_sweep_begin(const atm_job *job, const atm_access *access, counts_sweep *sweep_p)
{
    uint64_t *seen = calloc((size_t) job->ranks, sizeof *seen);

    if (seen == NULL)
        return ATM_NO_MEMORY;
    *sweep_p = (counts_sweep){.pieces = access->pieces, .count = access->piece_count, .seen = seen};
    return ATM_OK;
}

void counts_sweep_end(counts_sweep *sweep)
{
    free(sweep->seen);
    sweep->seen = NULL;
}

static void window_add(counts_window *window, const atm_piece *piece, uint64_t first, uint64_t last)
{
    uint64_t from = counts_max(piece->offset, first), to = counts_min(last_byte(piece), last);

    if (window->pieces == 0) {
        window->first = from;
        window->last = to;
    } else {
        if (from > window->last + 1)
            window->hole = true;
        window->last = counts_max(window->last, to);
    }
    window->data += to - from + 1;
    window->pieces++;
}

counts_window counts_sweep_window(counts_sweep *sweep, uint64_t first, uint64_t last)
{
    counts_window window = {0};

    sweep->number++;
    while (sweep->low < sweep->count && last_byte(&sweep->pieces[sweep->low]) < first)
        sweep->low++;
    for (size_t i = sweep->low; i < sweep->count && sweep->pieces[i].offset <= last; i++) {
        const atm_piece *piece = &sweep->pieces[i];
        if (last_byte(piece) < first)
            continue;
        window_add(&window, piece, first, last);
        window.ranks += sweep->seen[piece->rank] != sweep->number;
        sweep->seen[piece->rank] = sweep->number;
    }
    return window;
}

uint64_t counts_sweep_next(counts_sweep *sweep, uint64_t from)
{
    for (size_t i = sweep->low; i < sweep->count; i++)
        if (last_byte(&sweep->pieces[i]) >= from)
            return counts_max(sweep->pieces[i].offset, from);
    return UINT64_MAX;
}

void counts_window_tally(const atm_access *access, const counts_window *window, uint64_t first,
                         uint64_t last, bool full, counts_tally *tally)
{
    uint64_t size = last - first + 1;
    bool hole = window->hole || window->first != first || window->last != last;

    for (counts_windows *sum = &tally->all; sum != NULL;
         sum = full && sum == &tally->all ? &tally->full : NULL) {
        sum->windows++;
        sum->bytes += size;
        sum->data += window->data;
        sum->messages += window->ranks;
    }
    tally->window_min = counts_min(tally->window_min, size);
    tally->window_max = counts_max(tally->window_max, size);
    if (access->write && hole) {
        tally->sieve++;
        tally->sieve_bytes += size;
    }
}

/* ADIOI_Exch_and_write, ADIOI_Read_and_exch: windows start at the first byte with
 * data; one without data is skipped, but still takes a round. */
static void tally_windows(counts_sweep *sweep, const atm_access *access, uint64_t first,
                          uint64_t last, uint64_t buffer, counts_tally *tally)
{
    uint64_t round = 0, before = tally->all.bytes;

    while (round <= (last - first) / buffer) {
        uint64_t from = first + round * buffer, to = counts_min(from + buffer - 1, last);
        counts_window window = counts_sweep_window(sweep, from, to);
        if (window.ranks != 0) {
            counts_window_tally(access, &window, from, to, round < tally->full_rounds, tally);
            round++;
        } else {
            round = (counts_sweep_next(sweep, from) - first) / buffer;
        }
    }
    tally->domain_max = counts_max(tally->domain_max, tally->all.bytes - before);
}

/* Calls for every domain with data; windows is NULL at the first pass, which
 * finds the shape. */
static void each_domain(counts_domains domains, const atm_access *access, uint64_t buffer,
                        counts_sweep *sweep, counts_sweep *windows, counts_shape *shape,
                        counts_tally *tally)
{
    counts_run run;

    while (domains.next(&domains, &run))
        for (uint64_t i = 0; i < run.domains; i++) {
            uint64_t start = run.start + i * run.size;
            counts_window data = counts_sweep_window(sweep, start, start + run.size - 1);
            if (data.ranks == 0)
                continue;
            if (windows == NULL) {
                counts_shape_add(shape, data.last - data.first + 1, 1);
                tally->requests += data.ranks;
                tally->request_pieces += data.pieces;
            } else {
                tally_windows(windows, access, data.first, data.last, buffer, tally);
            }
        }
}

atm_status counts_tally_pieces(counts_domains domains, const atm_job *job, const atm_access *access,
                               uint64_t buffer, counts_tally *tally_p)
{
    counts_tally tally = {.window_min = UINT64_MAX, .exact_accesses = true, .exact_messages = true};
    counts_shape shape = {.inner_min = UINT64_MAX};
    counts_sweep sweep[3] = {{0}};
    atm_status status = ATM_OK;

    for (int i = 0; i < 3 && status == ATM_OK; i++)
        status = counts_sweep_begin(job, access, &sweep[i]);
    if (status == ATM_OK) {
        each_domain(domains, access, buffer, &sweep[0], NULL, &shape, &tally);
        counts_shape_rounds(&shape, buffer, &tally);
        tally.domain_max = 0; /* windows without data are not accessed */
        each_domain(domains, access, buffer, &sweep[1], &sweep[2], NULL, &tally);
        *tally_p = tally;
    }
    for (int i = 0; i < 3; i++)
        counts_sweep_end(&sweep[i]);
    return status;
}
