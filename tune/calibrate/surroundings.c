/* What is known of the machine, the file system and the job. */

#include "calibrate.h"

#include "files/file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <lustre/lustre_user.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define NFS_MAGIC 0x6969
#define GPFS_MAGIC 0x47504653
#define MIB (UINT64_C(1) << 20)

static atm_driver driver_of(const struct statfs *fs)
{
    switch ((uint32_t) fs->f_type) {
        case LL_SUPER_MAGIC:
            return ATM_LUSTRE;
        case GPFS_MAGIC:
            return ATM_GPFS;
        case NFS_MAGIC:
            return ATM_NFS;
        default:
            return ATM_UFS;
    }
}

/* Default stripe and number of OSTs, where Lustre tells. */
static void ask_lustre(const char *directory, cal_facts *facts)
{
    const size_t objects = LOV_MAX_STRIPE_COUNT * sizeof(struct lov_user_ost_data);
    struct lov_user_md *answer = calloc(1, sizeof(*answer) + objects);
    int file = open(directory, O_RDONLY | O_CLOEXEC), servers = 0;

    facts->block = MIB;
    if (answer != NULL && file >= 0) {
        answer->lmm_magic = LOV_USER_MAGIC;
        if (ioctl(file, LL_IOC_LOV_GETSTRIPE, answer) == 0 && answer->lmm_stripe_size > 0)
            facts->block = answer->lmm_stripe_size;
        if (ioctl(file, LL_IOC_GETOBDCOUNT, &servers) == 0 && servers > 0)
            facts->servers = servers;
    }
    if (file >= 0)
        close(file);
    free(answer);
}

/* ad_gpfs_open.c:112 takes st_blksize for the block. */
static void ask_gpfs(const char *directory, cal_facts *facts)
{
    struct stat status;

    if (stat(directory, &status) == 0 && (uint64_t) status.st_blksize > facts->block)
        facts->block = (uint64_t) status.st_blksize;
}

static void ask_mpi(cal_facts *facts)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;

    MPI_Get_library_version(version, &length);
    for (char *at = version; *at != '\0'; at++)
        if (*at == '\t')
            *at = ' ';
    snprintf(facts->library, sizeof(facts->library), "%.*s", (int) strcspn(version, "\n"), version);
}

/* As the driver does (ad_autotune_job.c). */
static void ask_network(cal_facts *facts)
{
    facts->nics = atc_nics_told(MPI_INFO_ENV);
    if (facts->nics == 0)
        facts->nics = atc_nics_count(ATC_SYS_CLASS);
}

/* directory exists. */
static bool ask_file_system(const char *directory, const cal_options *options, cal_facts *facts)
{
    struct statfs fs;

    if (statfs(directory, &fs) != 0) {
        fprintf(stderr, "autotune-calibrate: %s: %s\n", directory, strerror(errno));
        return false;
    }
    facts->driver = options->driver >= 0 ? (atm_driver) options->driver : driver_of(&fs);
    facts->block = (uint64_t) fs.f_bsize;
    facts->free_bytes = (uint64_t) fs.f_bavail * (uint64_t) fs.f_bsize;
    facts->all_bytes = (uint64_t) fs.f_blocks * (uint64_t) fs.f_bsize;
    if (facts->driver == ATM_LUSTRE)
        ask_lustre(directory, facts);
    if (facts->driver == ATM_GPFS)
        ask_gpfs(directory, facts);
    if (options->block > 0)
        facts->block = options->block;
    if (!atm_mount_at(directory, &facts->mount))
        facts->mount = (atm_mount){.type = ""};
    facts->type = facts->driver != ATM_UFS ? atm_driver_name(facts->driver)
                                           : atm_file_system_name((uint32_t) fs.f_type);
    if (facts->type == NULL)
        facts->type = atm_driver_name(facts->driver);
    return true;
}

bool facts_find(const cal_options *options, cal_facts *facts_p)
{
    cal_facts facts = {.servers = 1};
    const char *directory = options->directory;
    char copy[PATH_MAX];

    if (access(directory, F_OK) != 0) {
        snprintf(copy, sizeof(copy), "%s", directory);
        directory = dirname(copy);
    }
    if (!ask_file_system(directory, options, &facts))
        return false;
    ask_mpi(&facts);
    ask_network(&facts);
    facts.cores = (int) sysconf(_SC_NPROCESSORS_ONLN);
    facts.memory = (uint64_t) sysconf(_SC_PHYS_PAGES) * (uint64_t) sysconf(_SC_PAGESIZE);
    *facts_p = facts;
    return true;
}

/* --- Slurm: the variables of an allocation that are worth keeping */

static const struct {
    const char *variable;
    const char *key;
} slurm[] = {
    {"SLURM_JOB_ID", "id"},
    {"SLURM_CLUSTER_NAME", "cluster"},
    {"SLURM_JOB_PARTITION", "partition"},
    {"SLURM_JOB_NUM_NODES", "nodes"},
    {"SLURM_NTASKS", "tasks"},
    {"SLURM_JOB_NODELIST", "node_list"},
    {"SLURM_TOPOLOGY_ADDR", "topology_address"},
    {"SLURM_TOPOLOGY_ADDR_PATTERN", "topology_pattern"},
};

bool facts_slurm(const cal_world *world)
{
    const char *nodes = getenv("SLURM_JOB_NUM_NODES");

    if (getenv("SLURM_JOB_ID") == NULL) {
        fputs("autotune-calibrate: --slurm: not in an allocation (SLURM_JOB_ID is not set)\n",
              stderr);
        return false;
    }
    if (nodes != NULL && atoi(nodes) != world->nodes)
        fprintf(stderr,
                "autotune-calibrate: warning: the allocation has %s nodes, ranks run on %d\n",
                nodes, world->nodes);
    return true;
}

static void put_slurm(atm_value *to)
{
    atm_value *facts = atm_put_object(to, "slurm");

    for (size_t i = 0; i < sizeof(slurm) / sizeof(slurm[0]); i++) {
        const char *value = getenv(slurm[i].variable);

        if (value != NULL && strlen(value) < ATM_MAX_STRING)
            atm_put_string(facts, slurm[i].key, value);
    }
}

/* --- as values */

static const char *machine_name(const cal_options *options, const cal_world *world)
{
    const char *cluster = options->slurm ? getenv("SLURM_CLUSTER_NAME") : NULL;

    if (options->name != NULL)
        return options->name;
    return cluster != NULL ? cluster : world->names[0];
}

atm_value *facts_machine(const cal_options *options, const cal_world *world, const cal_facts *facts,
                         uint64_t cache)
{
    atm_value *machine = atm_value_object();
    char text[1024];

    atm_put_string(machine, "name", machine_name(options, world));
    journal_now(text);
    atm_put_string(machine, "date", text);
    atm_put_string(machine, "mpi", facts->library);
    snprintf(text, sizeof(text), "%s on %s, driver %s", facts->mount.type, facts->mount.at,
             atm_driver_name(facts->driver));
    atm_put_string(machine, "file_system", text);
    atm_put_string(machine, "file_system_type", facts->type);
    if (facts->mount.source[0] != '\0')
        atm_put_string(machine, "file_system_source", facts->mount.source);
    atm_put_string(machine, "tool", "autotune-calibrate " PACKAGE_VERSION);
    atm_put_integer(machine, "nodes", world->nodes);
    atm_put_integer(machine, "ranks", world->ranks);
    if (facts->nics > 0)
        atm_put_integer(machine, "nics", facts->nics);
    atm_put_integer(machine, "cores", facts->cores);
    atm_put_integer(machine, "memory", (int64_t) facts->memory);
    if (cache > 0)
        atm_put_integer(machine, "cache", (int64_t) cache);
    atm_put_integer(machine, "block", (int64_t) facts->block);
    if (facts->driver == ATM_LUSTRE) {
        atm_put_integer(machine, "stripe_size", (int64_t) facts->block);
        atm_put_integer(machine, "servers", facts->servers);
    }
    return machine;
}

atm_value *facts_job(const cal_options *options, const cal_world *world, const cal_facts *facts,
                     const char *started, const char *storage, const char *left_out)
{
    atm_value *job = atm_value_object(), *hosts;

    atm_put_integer(job, "ranks", world->ranks);
    atm_put_integer(job, "nodes", world->nodes);
    hosts = atm_put_array(job, "hosts");
    for (int i = 0; i < world->nodes; i++)
        atm_put_string(hosts, NULL, world->names[i]);
    atm_put_string(job, "tool", "autotune-calibrate " PACKAGE_VERSION);
    atm_put_string(job, "started", started);
    atm_put_string(job, "driver", atm_driver_name(facts->driver));
    atm_put_string(job, "policy", options->policy);
    atm_put_string(job, "storage", storage);
    if (left_out[0] != '\0')
        atm_put_string(job, "left_out", left_out);
    atm_put_integer(job, "seed", (int64_t) options->seed);
    if (options->budget > 0)
        atm_put_number(job, "budget", options->budget);
    if (options->slurm)
        put_slurm(job);
    return job;
}
