"""Traces of targets with known states, as autotune-probe writes them.
usage: state_traces.py FILE TARGETS DAYS SEED [SLOWER]
The last target has one state.  SLOWER: factor of all times of large writes."""
import json
import math
import random
import sys

path, targets, days, seed = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
slower = float(sys.argv[5]) if len(sys.argv) > 5 else 1
rng = random.Random(seed)
start = 1.6e9 + (0 if seed == 1 else 30 * 86400)
names = ["total", "batch", "debug", "extra_large", "large", "medium", "small", "extra_small",
         "new", "middle_aged", "old", "virtual_memory", "memory"]
lines = []
for i in range(int(days * 288)):
    total = 500 + 300 * math.sin(i / 40)
    jobs = {"time": start + 300 * i, "kind": "jobs"}
    jobs.update((name, round(total * (k + 1) / 20)) for k, name in enumerate(names))
    lines.append((jobs["time"], json.dumps(jobs)))
for target in range(targets):
    busy, typical = False, 0.004 + 0.002 * target
    states = 1 if target == targets - 1 else 2
    for i in range(int(days * 1440)):
        time = start + 60 * i + target
        if states == 2 and rng.random() < (1 / 20 if busy else 1 / 60):
            busy = not busy
        seconds = typical * math.exp((0.7 if busy else 0) + 0.3 * rng.gauss(0, 1))
        lines.append((time, '{"time": %.3f, "kind": "probe", "target": %d, "bytes": 1048576, "seconds": %.6g}' %
                      (time, target, seconds)))
        if i % 60 == 59:
            seconds = slower * 1.85 * (2.7 / 1.85 if busy else 1) * math.exp(0.08 * rng.gauss(0, 1))
            lines.append((time + 1, '{"time": %.3f, "kind": "truth", "target": %d, "bytes": 1073741824, "seconds": %.6g}' %
                          (time + 1, target, seconds)))
lines.sort()
with open(path, "w") as file:
    file.write(json.dumps({"format": "romio-autotune-trace", "version": 1, "path": "/scratch", "driver": "lustre",
                           "host": "n1", "started": start}) + "\n")
    file.writelines(line + "\n" for _, line in lines)
