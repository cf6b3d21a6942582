/* Points made from known functions: laws of latency and bandwidth with knees
 * where a resource runs out, on 2,048 to 8,192 ranks, 16 on a node. */

#include "synthetic.h"

#include <math.h>
#include <stdio.h>

#include "common/rng.h"
#include "formats/formats.h"

const atm_operation synthetic_operations[SYNTHETIC_OPERATIONS] = {
    ATM_ALLREDUCE, ATM_ALLTOALL, ATM_EXCHANGE, ATM_WRITE_FIRST, ATM_WRITE_FULL, ATM_WRITE_PARTIAL};

static const double ranks_of[] = {2048, 4096, 8192};

enum { RANKS = 3, PER_NODE = 16, BLOCK = 8 << 20 };

double synthetic_seconds(atm_operation operation, const double features[ATM_FEATURE_COUNT])
{
    double p = features[ATM_SENDERS], r = features[ATM_RECEIVERS], bytes = features[ATM_BYTES];
    double nodes = features[ATM_NODES];

    switch (operation) {
        case ATM_ALLREDUCE: /* recursive doubling, then reduce-scatter and allgather */
            return 4e-6 * log2(p) + fmin(bytes * 1e-9 * log2(p), 5e-6 + 2 * bytes * 1e-9);
        case ATM_ALLTOALL:
            return 2e-5 + 2e-7 * p + 5e-10 * p * bytes;
        case ATM_EXCHANGE: /* senders share the receivers' links */
            return 1e-5 + 1e-7 * p / r + 2e-8 * r + bytes * (p / r * 2e-10 + 1e-9);
        case ATM_WRITE_FIRST: /* a lock for each writer, then as below */
            return 2e-3 + 4e-5 * r + fmax(bytes / 4e8, bytes * r / 2e10) + 2e-6 * nodes;
        case ATM_WRITE_FULL: /* 27 points on 3 levels each cannot tell where a knee is */
            return 1e-3 + bytes / 4e8 + bytes * r / 2e10 + 2e-6 * nodes;
        default:
            return 5e-4 + 1e-5 * r + fmax(bytes / 8e8, bytes * r / 3e10);
    }
}

static bool is_storage(atm_operation operation)
{
    return operation >= ATM_WRITE_FIRST;
}

static void fill(atm_operation operation, double ranks, double receivers, double bytes, double *f)
{
    f[ATM_NODES] = ranks / PER_NODE;
    f[ATM_PER_NODE] = is_storage(operation) ? receivers / f[ATM_NODES] : PER_NODE;
    f[ATM_SENDERS] = is_storage(operation) ? receivers : ranks;
    f[ATM_RECEIVERS] = receivers;
    f[ATM_BYTES] = bytes;
    f[ATM_STRIPES] = 1;
    f[ATM_MESSAGES] = operation == ATM_EXCHANGE ? ranks : 1;
    f[ATM_FAR] = f[ATM_LINK] = f[ATM_UPLINK] = 1;
}

/* Features of the index-th point; false after the last. */
static bool point_at(atm_operation operation, int index, double *f)
{
    double ranks = ranks_of[index % RANKS];
    int rest = index / RANKS;

    switch (operation) {
        case ATM_ALLREDUCE: /* 4 B to 1 MB */
            fill(operation, ranks, ranks, 4 * exp2(rest), f);
            return rest < 19;
        case ATM_ALLTOALL: /* 1 B to 256 kB */
            fill(operation, ranks, ranks, exp2(rest), f);
            return rest < 17;
        case ATM_EXCHANGE: /* 1 B to 64 MB for 13 sets of receivers, the largest not all */
            fill(operation, ranks, 8 + 20 * (rest % 13), exp2(rest / 13), f);
            return index < 1044;
        case ATM_WRITE_FULL:
            fill(operation, ranks, 16 * exp2(2 * (rest % 3)), BLOCK * exp2(rest / 3), f);
            return rest < 9;
        default: /* 30 sets of writers */
            fill(operation, ranks, 4 * (1 + rest % 30), BLOCK * exp2(rest / 30), f);
            return rest < 90;
    }
}

void synthetic_query(atm_operation operation, uint64_t *random,
                     double features_p[ATM_FEATURE_COUNT])
{
    double first[ATM_FEATURE_COUNT], min[ATM_FEATURE_COUNT], max[ATM_FEATURE_COUNT];
    double ranks = ranks_of[rng_below(random, RANKS)];

    for (int i = 0; point_at(operation, i, first); i++) {
        for (int k = 0; k < ATM_FEATURE_COUNT; k++) {
            min[k] = i == 0 ? first[k] : fmin(min[k], first[k]);
            max[k] = i == 0 ? first[k] : fmax(max[k], first[k]);
        }
    }
    double receivers = ranks;
    if (min[ATM_RECEIVERS] != min[ATM_SENDERS] || is_storage(operation))
        receivers = floor(min[ATM_RECEIVERS] *
                          pow(max[ATM_RECEIVERS] / min[ATM_RECEIVERS], rng_unit(random)));
    double bytes = floor(min[ATM_BYTES] * pow(max[ATM_BYTES] / min[ATM_BYTES], rng_unit(random)));
    fill(operation, ranks, receivers, bytes, features_p);
}

static void put_point(atm_value *list, atm_operation operation, const double *features,
                      double noise, uint64_t *random)
{
    atm_value *point = atm_put_object(list, NULL), *object, *visits;
    double truth = synthetic_seconds(operation, features), visit[2], mean;

    /* each visit has the noise of a mean of two times sqrt(2) */
    for (int i = 0; i < 2; i++)
        visit[i] = truth * fmax(0.2, 1 + sqrt(2) * noise * rng_normal(random));
    mean = (visit[0] + visit[1]) / 2;
    atm_put_string(point, "operation", atm_operation_name(operation));
    atm_put_integer(point, "job", 0);
    object = atm_put_object(point, "features");
    for (int i = 0; i < ATM_FEATURE_COUNT; i++)
        atm_put_number(object, atm_feature_name((atm_feature) i), features[i]);
    atm_put_number(point, "seconds", mean);
    atm_put_number(point, "median", mean);
    atm_put_number(point, "spread", fabs(visit[0] - mean) / mean);
    visits = atm_put_array(point, "visits");
    atm_put_numbers(visits, NULL, &visit[0], 1);
    atm_put_numbers(visits, NULL, &visit[1], 1);
}

bool synthetic_write(const char *path, atm_operation without, double noise, uint64_t seed)
{
    atm_value *root = atm_value_object(), *object, *list;
    double features[ATM_FEATURE_COUNT];
    atm_status status;

    atm_put_string(root, "format", POINTS_FORMAT);
    atm_put_integer(root, "version", POINTS_VERSION);
    object = atm_put_object(root, "machine");
    atm_put_string(object, "name", "known functions");
    object = atm_put_object(atm_put_array(root, "jobs"), NULL);
    atm_put_integer(object, "ranks", 8192);
    atm_put_integer(object, "nodes", 512);
    list = atm_put_array(root, "points");
    for (int i = 0; i < SYNTHETIC_OPERATIONS; i++)
        for (int k = 0;
             synthetic_operations[i] != without && point_at(synthetic_operations[i], k, features);
             k++)
            put_point(list, synthetic_operations[i], features, noise, &seed);
    status = atm_value_write(root, path, NULL);
    atm_value_destroy(root);
    return status == ATM_OK;
}
