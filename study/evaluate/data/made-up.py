#!/usr/bin/env python3
"""A ground that is made up for tests: nothing in it was measured.

made-up.py DIRECTORY writes sweep.json and points.json, whose answers are known:
every round of a aggregators with a buffer of b bytes takes

    ROUND + SQUARE a^2 + a b / RATE        seconds,

communication takes next to nothing, and all sizes are multiples of a round.  So
an access of S bytes takes S / b (ROUND / a + SQUARE a) + S / RATE: the largest
buffer is best, and a = sqrt(ROUND / SQUARE) = 2 aggregators.
"""

import json
import sys

ROUND, SQUARE, RATE = 0.064, 0.016, 4e9
MIB = 1 << 20
AGGREGATORS, BUFFERS = (1, 2, 4), (MIB, 4 * MIB, 16 * MIB)


def round_seconds(aggregators, buffer):
    return ROUND + SQUARE * aggregators**2 + aggregators * buffer / RATE


def seconds(total, aggregators, buffer):
    return total // (aggregators * buffer) * round_seconds(aggregators, buffer)


def configurations(nodes, total):
    for aggregators in AGGREGATORS:
        for buffer in BUFFERS:
            time = seconds(total, aggregators, buffer)
            config = {"aggregators": aggregators, "buffer": buffer, "seconds": [time, 1.02 * time, 0.98 * time]}
            if aggregators == nodes and buffer == 16 * MIB:
                config["default"] = True
            yield config
            # the locks of a file that exists save a tenth, bridge-first a fifth
            if nodes == 4:
                same = {key: config[key] for key in ("aggregators", "buffer")}
                yield dict(same, variant="existing", seconds=[0.9 * time])
                yield dict(same, variant="uniform", seconds=[1.25 * time])
                yield dict(same, variant="bluegene", seconds=[1.0625 * time])
    # a rule of somebody's: one aggregator, 4 MiB
    yield {"aggregators": 1, "buffer": 4 * MIB, "variant": "rule", "seconds": [seconds(total, 1, 4 * MIB)]}


def instance(nodes, size):
    ranks = 2 * nodes
    total = ranks * size
    made = {
        "name": f"{nodes} nodes, {size // MIB} MiB",
        "driver": "ufs", "nodes": nodes, "per_node": 2,
        "access": {"write": True, "bytes": size, "strided": 0, "calls": 1},
        "configurations": list(configurations(nodes, total)),
    }
    if nodes == 2:
        made["choice"] = {"aggregators": 2, "buffer": 8 * MIB, "status": "tuned", "seconds": [seconds(total, 2, 8 * MIB)]}
    return made


def sweep():
    return {
        "format": "romio-autotune-sweep", "version": 1,
        "ground": {
            "name": "made-up", "kind": "simulated", "title": "Made up for tests: a law in closed form, nothing measured",
            "version": "1", "date": "2026-01-31T10:00:00Z", "seed": 1,
            "facts": {"law": "ROUND + SQUARE a^2 + a b / RATE for each round", "markup": "<b>|`"},
        },
        "instances": [instance(nodes, size) for nodes in (2, 4) for size in (16 * MIB, 32 * MIB, 64 * MIB)],
    }


def point(operation, nodes, senders, receivers, size, messages, time):
    storage = operation.startswith(("write", "read"))
    return {
        "operation": operation, "job": 0 if nodes == 2 else 1,
        "features": {
            "nodes": nodes, "per_node": receivers / nodes if storage else 2,
            "senders": senders, "receivers": receivers, "bytes": size, "stripes": 1, "messages": messages,
        },
        "seconds": time, "median": time, "spread": 0, "visits": [[time], [time]], "outliers": [[], []],
        "time": "2026-01-31T10:00:00Z", "host": "n1",
    }


def points():
    listed = []
    for nodes in (2, 4):
        ranks = 2 * nodes
        for operation in ("allreduce", "allgather", "alltoall", "bcast"):
            for size in (4, 64, 1024, 16384, 262144, 4194304):
                listed.append(point(operation, nodes, ranks, ranks, size, 1, 1e-6 + 1e-13 * size))
        for size in (4, 1024, 16777216):
            for receivers in AGGREGATORS:
                for senders in (1, ranks):
                    listed.append(point("exchange", nodes, senders, receivers, size, senders, 1e-6 + 1e-13 * size))
        for operation in ("write_first", "write_full", "write_partial"):
            for receivers in AGGREGATORS:
                for size in (MIB // 4, MIB, 4 * MIB, 16 * MIB):
                    listed.append(point(operation, nodes, ranks, receivers, size, 1, round_seconds(receivers, size)))
    return {
        "format": "romio-autotune-points", "version": 1,
        "machine": {"name": "made up for tests", "date": "2026-01-31", "mpi": "none"},
        "jobs": [{"ranks": 4, "nodes": 2, "hosts": ["n1"], "tool": "made-up.py", "started": "2026-01-31T10:00:00Z"},
                 {"ranks": 8, "nodes": 4, "hosts": ["n1"], "tool": "made-up.py", "started": "2026-01-31T10:00:00Z"}],
        "points": listed,
    }


for name, document in (("sweep", sweep()), ("points", points())):
    with open(f"{sys.argv[1]}/{name}.json", "w") as file:
        json.dump(document, file, indent=1)
        file.write("\n")
