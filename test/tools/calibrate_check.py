#!/usr/bin/env python3
"""calibrate_check.py POINTS [JOURNAL...]: a points file is complete and consistent,
and has every visit of the journals; says what is wrong and exits 1 if not."""

import json
import sys

FEATURES = ["nodes", "per_node", "senders", "receivers", "bytes", "stripes", "messages", "far", "link",
            "uplink"]


def check_point(point, problems):
    name = "%s %s" % (point["operation"], point["features"])
    counted = []
    if sorted(point["features"]) != sorted(FEATURES) or min(point["features"].values()) <= 0:
        problems.append(name + ": features")
    if len(point["visits"]) != len(point["outliers"]):
        problems.append(name + ": outliers of each visit")
    for times, outliers in zip(point["visits"], point["outliers"]):
        if not times or min(times) <= 0:
            problems.append(name + ": times")
        counted += [t for i, t in enumerate(times) if i not in outliers]
    if not counted or abs(sum(counted) / len(counted) / point["seconds"] - 1) > 1e-6:
        problems.append(name + ": seconds is not the mean of what counts")
    if not point["median"] > 0 or point["spread"] < 0 or not point["time"] or not point["host"]:
        problems.append(name + ": facts")


def main(path, journals):
    document = json.load(open(path))
    problems = []
    if document["format"] != "romio-autotune-points" or document["version"] != 1:
        problems.append("format")
    for fact in ["name", "mpi", "file_system", "file_system_type", "nodes", "ranks", "block", "memory", "cores", "date", "tool"]:
        if not document["machine"].get(fact):
            problems.append("machine." + fact)
    points = document["points"]
    for point in points:
        check_point(point, problems)
    if len({json.dumps([p["operation"], p["features"]]) for p in points}) != len(points):
        problems.append("a point twice")
    if not any(len(p["visits"]) >= 2 for p in points):
        problems.append("no point was visited twice")
    visits = [v for p in points for v in p["visits"]]
    for journal in journals:
        lines = [line for line in open(journal) if line.endswith("\n")][1:]
        problems += ["lost: " + line for line in lines if json.loads(line)["seconds"] not in visits]
    operations = sorted({p["operation"] for p in points})
    print("%d points, %d visits, operations: %s" % (len(points), len(visits), " ".join(operations)))
    print("\n".join(problems))
    return 1 if problems or not points else 0


sys.exit(main(sys.argv[1], sys.argv[2:]))
