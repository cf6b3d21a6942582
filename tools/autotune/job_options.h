/* The description of a job on a command line, and what the model chooses for it: for
 * the commands that ask the model. */

#ifndef JOB_OPTIONS_H
#define JOB_OPTIONS_H

#include "choose/choose.h"
#include "place/topology.h"
#include "common/options.h"

/* Begins the options of a command.  0 and NULL where the user says nothing. */
typedef struct job_options {
    int nodes, ranks_per_node, nics, servers, calls, mpich;
    const char *topology, *profile;
    atm_driver driver;
    atm_mode mode;
    uint64_t bytes, strided, memory, block;
    bool read, existing;
    atm_config fix; /* values of --fix */
    unsigned fixed; /* which of them, as in atm_request */
    const char *advice, *program, *user, *file;
} job_options;

/* For the `shared` of a command's table. */
extern const option_entry job_entries[];

/* What is asked for, and the answer. */
typedef struct job_choice {
    atm_topology *topology;
    atm_profile *profile;
    atm_fit fit; /* of the profile */
    atm_request request;
    atm_choice *choice;
    atm_advice *advice;           /* NULL: none was named */
    atm_advised advised;          /* what came of it */
    char program[256], user[256]; /* the job's, for advice */
} job_choice;

/* What is asked for, and no answer yet.  0: release it; otherwise the exit code, after a
 * complaint. */
int job_ask(const option_table *table, const job_options *options, job_choice *job_p);
/* The same with the answer. */
int job_choose(const option_table *table, const job_options *options, job_choice *job_p);
void job_release(job_choice *job);

#endif /* JOB_OPTIONS_H */
