/* Sums up what the ranks did and compares it with the counts. */

#include <stdio.h>

#include "trace.h"

/* What the models and a run have in common. */
#define ACCESS_NUMBERS(X)                                                                          \
    X(rounds)                                                                                      \
    X(allreduces)                                                                                  \
    X(allgathers)                                                                                  \
    X(alltoalls)                                                                                   \
    X(alltoallvs)                                                                                  \
    X(bcasts)                                                                                      \
    X(domains)                                                                                     \
    X(bytes_per_aggregator)                                                                        \
    X(accesses)                                                                                    \
    X(access_bytes)                                                                                \
    X(access_min)                                                                                  \
    X(access_max)                                                                                  \
    X(sieve_accesses)                                                                              \
    X(sieve_bytes)

#define MESSAGE_NUMBERS(X)                                                                         \
    X(request_messages)                                                                            \
    X(request_bytes)                                                                               \
    X(data_messages)                                                                               \
    X(data_bytes)

typedef struct seen {
#define X(name) uint64_t name;
    ACCESS_NUMBERS(X)
    MESSAGE_NUMBERS(X)
#undef X
} seen;

static int complaints;

static uint64_t reduce(uint64_t mine, MPI_Op op)
{
    uint64_t all;

    MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, op, MPI_COMM_WORLD);
    return all;
}

static void complain(const char *what, uint64_t predicted, uint64_t traced)
{
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        fprintf(stderr, "%s: predicted %llu, traced %llu\n", what, (unsigned long long) predicted,
                (unsigned long long) traced);
    complaints++;
}

/* A number that must be the same on every rank. */
static uint64_t common(const char *what, uint64_t mine)
{
    uint64_t least = reduce(mine, MPI_MIN), most = reduce(mine, MPI_MAX);

    if (least != most)
        complain(what, least, most);
    return most;
}

/* Both algorithms with an alltoall in each round have one more before; Lustre
 * writes wait once in each. */
static uint64_t rounds(const trace_case *c, const atm_count_model *model, const trace_numbers *mine)
{
    const trace_file *file = c->access.write ? &mine->writes : &mine->reads;

    if (!model->collective)
        return reduce(file->calls, MPI_MAX);
    if (c->driver == ATM_LUSTRE && c->access.write)
        return common("rounds on all ranks", mine->waits);
    return common("alltoalls on all ranks", mine->alltoalls) - 1;
}

static seen sum_up(const trace_case *c, const atm_count_model *model, const trace_numbers *mine)
{
    const trace_file *file = c->access.write ? &mine->writes : &mine->reads;
    const trace_file *other = c->access.write ? &mine->reads : &mine->writes;
    seen s = {.rounds = rounds(c, model, mine)};

    s.allreduces = common("allreduces on all ranks", mine->allreduces);
    s.allgathers = common("allgathers on all ranks", mine->allgathers);
    s.alltoalls = common("alltoalls on all ranks", mine->alltoalls);
    s.alltoallvs = common("alltoallvs on all ranks", mine->alltoallvs);
    s.bcasts = common("bcasts on all ranks", mine->bcasts);
    s.domains = reduce(file->calls != 0, MPI_SUM);
    s.bytes_per_aggregator = reduce(file->bytes, MPI_MAX);
    s.accesses = reduce(file->calls, MPI_SUM);
    s.access_bytes = reduce(file->bytes, MPI_SUM);
    s.access_min = reduce(file->min, MPI_MIN);
    s.access_max = reduce(file->max, MPI_MAX);
    s.sieve_accesses = reduce(other->calls, MPI_SUM);
    s.sieve_bytes = reduce(other->bytes, MPI_SUM);
    s.request_messages = reduce(mine->request_messages, MPI_SUM);
    s.request_bytes = reduce(mine->request_bytes, MPI_SUM);
    s.data_messages = reduce(mine->data_messages, MPI_SUM);
    s.data_bytes = reduce(mine->data_bytes, MPI_SUM);

    uint64_t received = reduce(mine->received, MPI_SUM);
    if (received != s.request_messages + s.data_messages)
        complain("messages received and sent", received, s.request_messages + s.data_messages);
    uint64_t others = reduce(mine->others, MPI_MAX);
    if (others != 0)
        complain("other collectives", 0, others);
    return s;
}

static void compare(const atm_counts *counts, const seen *s)
{
#define X(name)                                                                                    \
    if ((uint64_t) counts->name != s->name)                                                        \
        complain(#name, (uint64_t) counts->name, s->name);
    if (counts->exact_accesses) {
        ACCESS_NUMBERS(X)
    }
    if (counts->exact_messages) {
        MESSAGE_NUMBERS(X)
    }
#undef X
}

int trace_compare(const trace_case *c, const trace_numbers *mine)
{
    const atm_count_model *model = atm_count_model_for(c->driver, &c->access, &c->config);
    atm_access summary = c->access;
    atm_counts counts;

    complaints = 0;
    const seen s = sum_up(c, model, mine);
    if (atm_count(NULL, c->driver, &c->job, &c->access, &c->config, &counts) != ATM_OK)
        complain("count", 1, 0);
    else if (model->collective && !(counts.exact_accesses && counts.exact_messages))
        complain("exact with pieces", 0, 1);
    else
        compare(&counts, &s);

    summary.pieces = NULL;
    summary.piece_count = 0;
    if (atm_count(NULL, c->driver, &c->job, &summary, &c->config, &counts) != ATM_OK)
        complain("count of the summary", 1, 0);
    else if (model->collective && !c->access.holes && !counts.exact_accesses)
        complain("accesses exact without pieces", 0, 1);
    else
        compare(&counts, &s);
    return complaints == 0;
}
