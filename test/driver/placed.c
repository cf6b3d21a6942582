/*
 * Where aggregators are put.  Called as
 *     placed DIRECTORY FS
 * on nodes called PLACED_NODES (words; ranks fill one after the other), where
 * p2b0 is a bridge of pset 2 and p2c0 a node of it that is none.
 * PLACED=file: a topology file must have been used, names: it must not, and the
 * status says why.  Lustre's writers are a prefix of the list; other lists are near the data.
 */

#include "common.h"

enum { MAX_NODES = 32, MAX_PSETS = 10 };

static char names[MAX_NODES][32];
static int nodes;

static int node_of(int r)
{
    return r * nodes / ranks;
}

/* ROMIO asks by this name. */
int PMPI_Get_processor_name(char *name, int *length)
{
    *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "%s", names[node_of(rank)]);
    return MPI_SUCCESS;
}

static void read_names(const char *words)
{
    char *copy = strdup(words), *rest = copy;

    for (char *word; nodes < MAX_NODES && (word = strtok_r(rest, " ", &rest)) != NULL;)
        snprintf(names[nodes++], sizeof(names[0]), "%s", word);
    free(copy);
}

static int is_bridge(int node)
{
    return names[node][2] == 'b';
}

static int pset_of(int node)
{
    return names[node][1] - '0';
}

/* Whether counts[count] differ by one at most; -1: a place that does not count */
static int are_even(const int *counts, int count)
{
    int least = 1 << 20, most = 0;

    for (int i = 0; i < count; i++) {
        if (counts[i] < 0)
            continue;
        least = counts[i] < least ? counts[i] : least;
        most = counts[i] > most ? counts[i] : most;
    }
    return most - least <= 1;
}

/* Aggregators of every prefix of the list are spread evenly over nodes and, with
 * `psets`, over those too. */
static int is_spread(const int *list, int count, int psets)
{
    int on_node[MAX_NODES] = {0}, in_pset[MAX_PSETS];
    int even = 1;

    for (int i = 0; i < MAX_PSETS; i++)
        in_pset[i] = -1;
    for (int i = 0; i < nodes; i++)
        in_pset[pset_of(i)] = 0;
    for (int i = 0; i < count; i++) {
        on_node[node_of(list[i])]++;
        in_pset[pset_of(node_of(list[i]))]++;
        even = even && are_even(on_node, nodes) && (!psets || are_even(in_pset, MAX_PSETS));
    }
    return even;
}

static int count_bridges(void)
{
    int bridges = 0;

    for (int i = 0; i < nodes; i++)
        bridges += is_bridge(i);
    return bridges;
}

static int bridges_are_first(const int *list, int count)
{
    int bridges = count_bridges();

    for (int i = 0; i < bridges && i < count; i++)
        if (!is_bridge(node_of(list[i])))
            return 0;
    return bridges > 0 && count > 0;
}

/* Each is in the pset, or without psets on the node, of the ranks that hold its part. */
static int is_near(const int *list, int count, int psets)
{
    for (int i = 0; i < count; i++) {
        int here = node_of(list[i]), there = node_of((2 * i + 1) * ranks / (2 * count));

        if (psets ? pset_of(here) != pset_of(there) : here != there)
            return 0;
    }
    return count > 0;
}

static int list_of(MPI_File fh, int list[64])
{
    char text[MPI_MAX_INFO_VAL + 1], *rest = text;
    int count = 0;

    snprintf(text, sizeof(text), "%s", hint_of(fh, "romio_aggregator_list"));
    for (char *word; count < 64 && (word = strtok_r(rest, " ", &rest)) != NULL;)
        list[count++] = atoi(word);
    return count;
}

/* As many aggregators as bridges: these they are. */
static void only_bridges(void)
{
    int list[64], count;
    char text[16];
    MPI_Info info;
    MPI_File fh;

    snprintf(text, sizeof(text), "%d", count_bridges());
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_nodes", text);
    if (!tap_ok(MPI_File_open(MPI_COMM_WORLD, path("autotune:", "bridges"), RDWR_CREATE, info,
                              &fh) == MPI_SUCCESS,
                "opens with cb_nodes"))
        return;
    MPI_Info_free(&info);
    count = list_of(fh, list);
    tap_ok(count == count_bridges() && bridges_are_first(list, count), "on all bridges");
    MPI_File_close(&fh);
}

int main(int argc, char **argv)
{
    const char *status, *by = getenv("PLACED");
    int by_file = strcmp(by, "file") == 0, lustre = strcmp(argv[2], "lustre") == 0;
    int list[64], count;
    MPI_File fh;

    read_names(getenv("PLACED_NODES"));
    start(&argc, &argv);
    if (!tap_ok(MPI_File_open(MPI_COMM_WORLD, path("autotune:", "placed"), RDWR_CREATE,
                              MPI_INFO_NULL, &fh) == MPI_SUCCESS,
                "opens"))
        return finish();
    count = list_of(fh, list);
    tap_ok(count == ranks, "all ranks aggregate");
    if (lustre) {
        tap_ok(bridges_are_first(list, count), "bridges come first");
        tap_ok(is_spread(list, count, by_file), "the others are spread evenly");
    } else {
        tap_ok(is_near(list, count, by_file), "each is near the data of its part");
    }
    status = hint_of(fh, "romio_autotune_status");
    if (rank == 0)
        printf("%s\n", status);
    tap_ok(strncmp(status, "tuned", 5) == 0, "tuned");
    tap_ok((strstr(status, "romio_autotune_topology=") == NULL) == by_file,
           by_file ? "the topology file is used" : "the status says that the file is not used");
    MPI_File_close(&fh);
    if (by_file && strcmp(argv[2], "ufs") == 0) /* ROMIO's GPFS driver ignores cb_nodes */
        only_bridges();
    return finish();
}
