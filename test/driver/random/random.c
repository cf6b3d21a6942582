/*
 * Random accesses through autotune: and through the wrapped driver leave the
 * same bytes, read the same bytes and report the same state.
 */

#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpitap.h"
#include "random.h"

enum {
    DETAILED_FAILURES = 5, /* of the rest only the count is shown */
    HANG_SECONDS = 60,     /* a case takes a tenth of a second */
};

struct options {
    uint64_t seed;
    int first, cases;
    int self_test;
    int named;
    int list;
    const char *directory, *profiles;
    int fs_count;
    enum fs fs[FS_COUNT];
};

struct tally {
    int run, failed;
};

static MPI_Comm comms[MAX_RANKS + 1]; /* comms[n]: ranks 0 to n - 1 of the world */
static int world_rank, world_size;

static const char usage[] =
    "usage: random --directory DIR [options], on 1 to 8 ranks\n"
    "  --directory DIR  work in DIR/FS for each file system FS\n"
    "  --fs LIST        file systems, separated by commas (ufs,nfs,gpfs,lustre)\n"
    "  --seed S         all cases follow from this number (1)\n"
    "  --first K        number of the first case (0)\n"
    "  --cases N        number of cases (500)\n"
    "  --profiles DIR   case N is tuned with profile DIR/N.json\n"
    "  --named          name the wrapped driver always: files without a prefix are not ROMIO's "
    "here\n"
    "  --list           describe the cases as they run\n"
    "  --self-test      damage each result and expect that it is noticed\n";

/* ---- one case ---- */

struct paths {
    char autotune[MAX_PATH], plain[MAX_PATH];
    char autotune_name[MAX_PATH + 20], plain_name[MAX_PATH + 20];
};

static void make_paths(struct paths *p, const struct test_case *c, const struct options *options)
{
    const char *directory = options->directory;
    const char *fs = fs_names[c->fs];
    const char *prefix = c->prefix_named ? fs : "", *colon = c->prefix_named ? ":" : "";

    snprintf(p->autotune, sizeof p->autotune, "%s/%s/%d.autotune", directory, fs, c->number);
    snprintf(p->plain, sizeof p->plain, "%s/%s/%d.plain", directory, fs, c->number);
    snprintf(p->autotune_name, sizeof p->autotune_name, "autotune:%s%s%s", prefix, colon,
             p->autotune);
    snprintf(p->plain_name, sizeof p->plain_name, "%s%s%s", options->named ? fs : prefix,
             options->named ? ":" : colon, p->plain);
}

static void flip_file_byte(const char *path, int64_t offset)
{
    FILE *file = fopen(path, "r+");
    int byte;

    if (file == NULL)
        return;
    fseek(file, offset, SEEK_SET);
    byte = fgetc(file);
    fseek(file, offset, SEEK_SET);
    fputc(byte ^ 1, file);
    fclose(file);
}

/* One fault per case, by turns in the file, in the data read back and in what
 * was reported; the latter also where there are no bytes. */
static void damage(const struct test_case *c, const struct image *image, int rank, const char *path,
                   struct outcome *outcome)
{
    struct rng rng = rng_start(c->seed, c->number, 5000);
    int64_t at = image->size ? rng_between(&rng, 0, image->size - 1) : 0;
    int64_t bytes = c->access[0][read_owner(c, 0)].count * c->etype_size;

    if (rank != 0)
        return;
    if (c->number % 3 == 0 && image->size > 0 && image->defined[at])
        flip_file_byte(path, at);
    else if (c->number % 3 == 1 && bytes > 0)
        outcome->read[0][rng_between(&rng, 0, bytes - 1)] ^= 1;
    else
        outcome->text[rng_between(&rng, 0, outcome->text_used - 1)] ^= 1;
}

/* MPI_File_delete must find the file behind the prefixes. */
static void delete_files(struct verdict *verdict, const struct paths *p)
{
    MPI_File_delete(p->plain_name, MPI_INFO_NULL);
    if (MPI_File_delete(p->autotune_name, MPI_INFO_NULL) != MPI_SUCCESS ||
        access(p->autotune, F_OK) == 0)
        verdict_fail(verdict, "MPI_File_delete did not delete %s", p->autotune_name);
}

static void judge(struct verdict *verdict, const struct test_case *c, const struct layout *layouts,
                  const struct paths *p, struct outcome *autotune, const struct outcome *plain,
                  int self_test)
{
    int rank = world_rank; /* the same in comms[] */
    struct image image;

    image_make(&image, c, layouts);
    if (self_test)
        damage(c, &image, rank, p->autotune, autotune);
    compare_outcomes(verdict, autotune, plain);
    compare_read(verdict, c, layouts, &image, rank, autotune, "autotune");
    compare_read(verdict, c, layouts, &image, rank, plain, "the wrapped driver");
    if (rank == 0) {
        compare_files(verdict, &image, p->autotune, p->plain);
        delete_files(verdict, p);
    }
    image_free(&image);
}

static void run_case(struct verdict *verdict, const struct test_case *c,
                     const struct options *options)
{
    static struct outcome autotune, plain;
    struct layout layouts[MAX_RANKS];
    struct paths paths;

    make_paths(&paths, c, options);
    for (int rank = 0; rank < c->ranks; rank++)
        layout_make(&layouts[rank], c, rank);
    if (c->plain_first)
        case_run(&plain, c, layouts, paths.plain_name, paths.plain, comms[c->ranks]);
    case_run(&autotune, c, layouts, paths.autotune_name, paths.autotune, comms[c->ranks]);
    if (!c->plain_first)
        case_run(&plain, c, layouts, paths.plain_name, paths.plain, comms[c->ranks]);
    judge(verdict, c, layouts, &paths, &autotune, &plain, options->self_test);
    outcome_free(&autotune);
    outcome_free(&plain);
    for (int rank = 0; rank < c->ranks; rank++)
        layout_free(&layouts[rank]);
}

/* ---- all cases ---- */

/* Every rank gets the verdict of the first rank that has one. */
static void share_verdict(struct verdict *verdict)
{
    int mine = verdict->failed ? world_rank : MAX_RANKS, first;

    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first < MAX_RANKS)
        MPI_Bcast(verdict, sizeof *verdict, MPI_BYTE, first, MPI_COMM_WORLD);
}

/* What to say about a case that fails, up to the reason */
static char case_text[2 * MAX_TEXT];

static void prepare_text(const struct test_case *c)
{
    const char *fs = fs_names[c->fs];
    char description[MAX_TEXT], standin[80] = "";

    case_describe(c, description, sizeof description);
    if (c->fs != UFS)
        snprintf(standin, sizeof standin, "STANDIN=%s:DIR/%s LD_PRELOAD=standin.so ", fs, fs);
    snprintf(
        case_text, sizeof case_text,
        "case %d of seed %" PRIu64 ": %s\n"
        "replay: mkdir -p DIR/%s; %smpiexec -n %d random --directory DIR --fs %s --seed %" PRIu64
        " --first %d --cases 1%s\n",
        c->number, c->seed, description, fs, standin, world_size, fs, c->seed, c->number,
        c->profile[0] ? " --profiles PROFILES" : "");
}

/* SIGALRM on rank 0: mpiexec ends the others. */
static void hang(int signal)
{
    static const char reason[] = "this case does not end\n";

    (void) signal;
    if (write(STDOUT_FILENO, case_text, strlen(case_text)) < 0 ||
        write(STDOUT_FILENO, reason, sizeof reason - 1) < 0)
        _exit(2);
    _exit(1);
}

static void run_cases(const struct options *options, struct tally tally[FS_COUNT][CALL_GROUPS])
{
    int shown = 0;

    for (int number = options->first; number < options->first + options->cases; number++) {
        struct verdict verdict = {0};
        struct test_case c;

        case_draw(&c, options->seed, number, options->fs[number % options->fs_count], world_size);
        if (options->profiles)
            case_tune(&c, options->profiles);
        prepare_text(&c);
        if (world_rank == 0)
            alarm(HANG_SECONDS);
        if (options->list && world_rank == 0)
            fputs(case_text, stdout);
        if (world_rank < c.ranks)
            run_case(&verdict, &c, options);
        share_verdict(&verdict);

        int failed = verdict.failed != options->self_test;
        tally[c.fs][c.write->group].run++;
        tally[c.fs][c.write->group].failed += failed;
        if (failed && world_rank == 0 && shown++ < DETAILED_FAILURES) {
            printf("%s%s\n", case_text,
                   verdict.failed ? verdict.text : "the damage was not noticed");
            fflush(stdout);
        }
    }
    alarm(0);
}

static void report(const struct options *options, struct tally tally[FS_COUNT][CALL_GROUPS])
{
    for (int i = 0; i < options->fs_count; i++)
        for (int group = 0; group < CALL_GROUPS; group++) {
            enum fs fs = options->fs[i];
            const struct tally *t = &tally[fs][group];
            if (t->run)
                tap_ok(world_rank != 0 || t->failed == 0, "%s, %s: %d of %d cases %s", fs_names[fs],
                       call_group_names[group], t->run - t->failed, t->run,
                       options->self_test ? "noticed" : "equal");
        }
}

/* ---- options ---- */

static void usage_error(void)
{
    if (world_rank == 0)
        fputs(usage, stderr);
    MPI_Finalize();
    exit(2);
}

static void parse_fs(struct options *options, char *list)
{
    options->fs_count = 0;
    for (char *word = strtok(list, ","); word; word = strtok(NULL, ",")) {
        int fs = 0;
        while (fs < FS_COUNT && strcmp(word, fs_names[fs]) != 0)
            fs++;
        if (fs == FS_COUNT || options->fs_count == FS_COUNT)
            usage_error();
        options->fs[options->fs_count++] = fs;
    }
}

static void parse_options(struct options *options, int argc, char **argv)
{
    static const struct option names[] = {
        {"directory", required_argument, NULL, 'd'},
        {"fs", required_argument, NULL, 'f'},
        {"seed", required_argument, NULL, 's'},
        {"first", required_argument, NULL, 'k'},
        {"cases", required_argument, NULL, 'n'},
        {"named", no_argument, NULL, 'N'},
        {"list", no_argument, NULL, 'l'},
        {"self-test", no_argument, NULL, 't'},
        {"profiles", required_argument, NULL, 'p'},
        {0},
    };
    int option;

    while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
        switch (option) {
            case 'd':
                options->directory = optarg;
                break;
            case 'f':
                parse_fs(options, optarg);
                break;
            case 's':
                options->seed = strtoull(optarg, NULL, 10);
                break;
            case 'k':
                options->first = atoi(optarg);
                break;
            case 'n':
                options->cases = atoi(optarg);
                break;
            case 'p':
                options->profiles = optarg;
                break;
            case 'N':
                options->named = 1;
                break;
            case 'l':
                options->list = 1;
                break;
            case 't':
                options->self_test = 1;
                break;
            default:
                usage_error();
        }
    }
    if (options->directory == NULL || options->fs_count == 0 || optind != argc)
        usage_error();
}

int main(int argc, char **argv)
{
    struct options options = {
        .seed = 1, .cases = 500, .fs_count = 4, .fs = {UFS, NFS, GPFS, LUSTRE}};
    static struct tally tally[FS_COUNT][CALL_GROUPS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    parse_options(&options, argc, argv);
    signal(SIGALRM, hang);
    if (world_size > MAX_RANKS)
        usage_error();
    for (int n = 1; n <= world_size; n++)
        MPI_Comm_split(MPI_COMM_WORLD, world_rank < n ? 0 : MPI_UNDEFINED, world_rank, &comms[n]);
    if (world_rank == 0)
        printf("seed %" PRIu64 ", cases %d to %d\n", options.seed, options.first,
               options.first + options.cases - 1);

    run_cases(&options, tally);
    report(&options, tally);

    for (int n = 1; n <= world_size; n++)
        if (comms[n] != MPI_COMM_NULL)
            MPI_Comm_free(&comms[n]);
    int failed = tap_done();
    MPI_Finalize();
    return failed;
}
