#!/usr/bin/env python3
"""What the compiler chooses for each kernel, beside what it could have chosen.

    decisions.py measure PROCESSOR OPTIONS FILE.tsv [run.py's options]
    decisions.py report MANIPLE FILE.tsv

measure runs every kernel as the compiler has it and with each candidate: W lanes, or one work-item after
another with the program's own vectors; and writes a row a kernel. PROCESSOR names the machine, OPTIONS are
the build options that the rows are for (-march=...). report builds the kernels of this folder with MANIPLE
for the options of each row and says how much longer the candidate that is chosen now takes than the best
one: nothing is run, so it says the same on every machine."""
import collections
import glob
import json
import math
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTHS = ("1", "4", "8", "16", "32", "64", "128")
COLUMNS = ("processor", "options", "kernel", "chosen") + WIDTHS + ("vectors",)


def drivers(options):
    build = ",MANIPLE_BUILD_OPTIONS=" + options
    candidates = ["MANIPLE_VECTOR_WIDTH=" + width for width in WIDTHS] + ["MANIPLE_CODE_ECONOMY=3"]
    return ["maniple:MANIPLE_DEVICES=cpu" + build] + ["maniple:" + c + build for c in candidates]


def measure(processor, options, file, more):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, os.path.join(HERE, "run.py"), "-o", folder, *more,
                        *drivers(options)], check=False)
        with open(os.path.join(folder, "kernels.json")) as results:
            results = json.load(results)
    with open(file, "a") as table:
        if not table.tell():
            print("\t".join(COLUMNS), file=table)
        for kernel, known in results.items():
            times = [known[driver].get("seconds") for driver in drivers(options)]
            if all(times):
                print("\t".join([processor, options, kernel] + ["%.4f" % (1e3 * t) for t in times]),
                      file=table)


def dumps(maniple, options, text, **variables):
    """For each file of kernels that builds as it stands: its name, and that text of its dump."""
    for file in sorted(glob.glob(os.path.join(HERE, "own", "*.cl"))):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([maniple, "build", "-q", file, "--dump=" + folder, "-o",
                            os.path.join(folder, "built")], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=False,
                           env={**os.environ, "MANIPLE_CACHE": "0", "MANIPLE_BUILD_OPTIONS": options,
                                **variables})
            for found in glob.glob(os.path.join(folder, "*", text)):
                with open(found) as lines:
                    yield os.path.basename(file)[:-len(".cl")], lines.read()


def chosen_lanes(maniple, options):
    """kernel -> lanes of most of its loops."""
    counts = collections.defaultdict(collections.Counter)
    for name, plan in dumps(maniple, options, "plan.txt"):
        for kernel, width in re.findall(r"^mpl_group\.(\w+).*?: (\d+) lanes, whole", plan, re.MULTILINE):
            counts["%s.%s" % (name, kernel)][int(width)] += 1
    return {kernel: max(seen, key=lambda w: (seen[w], w)) for kernel, seen in counts.items()}


def report(maniple, file):
    with open(file) as table:
        header, *rows = [line.rstrip("\n").split("\t") for line in table]
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row[0], row[1]].append(dict(zip(header, row)))
    for (processor, options), kernels in groups.items():
        lanes, misses = chosen_lanes(maniple, options), []
        for row in kernels:
            width = str(lanes.get(row["kernel"], 0))
            if width not in WIDTHS:
                continue
            times = [float(row[c]) for c in WIDTHS + ("vectors",)]
            misses.append((float(row[width]) / min(times), row["kernel"], width))
        misses.sort(reverse=True)
        mean = math.exp(sum(math.log(m) for m, _, _ in misses) / len(misses))
        print("%s, %s: %d kernels, geometric mean %.3f of the best candidate, %d over 1.3" %
              (processor, options, len(misses), mean, sum(m > 1.3 for m, _, _ in misses)))
        for miss, kernel, width in misses[:10]:
            print("  %.2f  %s, %s lanes" % (miss, kernel, width))


if __name__ == "__main__":
    if len(sys.argv) >= 5 and sys.argv[1] == "measure":
        measure(*sys.argv[2:5], sys.argv[5:])
    elif len(sys.argv) == 4 and sys.argv[1] == "report":
        report(*sys.argv[2:])
    else:
        sys.exit(__doc__)
