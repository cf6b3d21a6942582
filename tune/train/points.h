/*
 * Points: what the elemental operations took when they were measured.  Written
 * by autotune-calibrate, read by autotune train.
 *
 *     { "format": "romio-autotune-points", "version": 1,
 *       "machine": { "name": "...", "mpi": "...", ... },      facts as in a profile
 * (files/profile.h) "jobs": [ { "ranks": 8, "nodes": 1, "hosts": ["n1"],  the jobs that measured:
 * one, or "tool": "...", "started": "2026-01-31T10:00:00Z" } ],   several after a merge "points": [
 *         { "operation": "allreduce", "job": 0,
 *           "features": { "nodes": 1, "per_node": 8, "senders": 8, "receivers": 8,
 *                         "bytes": 4, "stripes": 1, "messages": 1,
 *                         "far": 1, "link": 1, "uplink": 1 },     optional: 1
 *           "seconds": 2.1e-5,        mean over the repetitions of the maximum over the ranks,
 *                                     outliers left out: what models learn
 *           "median": 2.0e-5, "spread": 0.04,       of all; median absolute deviation / median
 *           "visits": [[2.1e-5, ...], [2.0e-5, ...]],  every repetition, grouped by the times at
 *                                     which the point was visited: they tell repeatability
 *           "outliers": [[], [3]],    indices into each visit
 *           "time": "2026-01-31T10:00:03Z", "host": "n1" } ],
 *       "caches": [ { "job": 0, "nodes": 1, "writers": 2,       optional: what caches took in
 *                     "round": 16777216, "servers": 1,          from an idle start until full,
 *                     "bytes": 4294967296,                      in rounds of so many bytes;
 *                     "rate": 2e8,            optional: then, bytes per second
 *                     "knee": 0.2 } ] }       optional: part of them in which rounds become slow
 *
 * Two points with the same operation and features are an error, so are times
 * that are not above 0.
 */

#ifndef POINTS_H
#define POINTS_H

#include "files/profile.h"

typedef struct points_point {
    atm_operation operation;
    int job;
    double features[ATM_FEATURE_COUNT];
    double seconds; /* above 0 */
    double median;
    double spread;
    int visit_count;
    double *visit_means; /* [visit_count] owned */
    int repetitions;     /* of all visits */
    int outliers;
} points_point;

typedef struct points_cache {
    double nodes, writers;
    double round; /* bytes */
    double servers;
    double bytes; /* 1 or more, as all before */
    double rate;  /* bytes per second that leave it when it is full; 0: not known */
    double knee;  /* share of bytes, 0 to 1 */
} points_cache;

typedef struct points {
    char *source;     /* the file's name */
    atm_value *root;  /* the document as it was read; "machine" and "jobs" live there */
    points_point *at; /* [count] */
    int count;
    points_cache *caches; /* [cache_count] */
    int cache_count;
} points;

/* Checks everything; destroy what it gives. */
atm_status points_read(const char *path, atm_message *message, points **points_p);
/* The same for another format: fill gets points with source and root, and adds
 * the rest. */
atm_status points_read_by(atm_status (*fill)(points *, atm_message *), const char *path,
                          atm_message *message, points **points_p);
void points_destroy(points *points);

/* Orders by operation, then features; 0 for two measurements of the same thing. */
int points_compare(const points_point *a, const points_point *b);

#endif /* POINTS_H */
