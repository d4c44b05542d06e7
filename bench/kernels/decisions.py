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


def dumps(maniple, options, *texts):
    """For each file of kernels that builds as it stands: its name, and those texts of its dump."""
    for file in sorted(glob.glob(os.path.join(HERE, "own", "*.cl"))):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([maniple, "build", "-q", file, "--dump=" + folder, "-o",
                            os.path.join(folder, "built")], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=False,
                           env={**os.environ, "MANIPLE_CACHE": "0", "MANIPLE_BUILD_OPTIONS": options})
            found = []
            for text in texts:
                found.append("")
                for path in glob.glob(os.path.join(folder, "*", text)):
                    with open(path) as lines:
                        found[-1] += lines.read()
            yield (os.path.basename(file)[:-len(".cl")], *found)


def chosen_candidates(maniple, options):
    """kernel -> the lanes of most of its loops, by the copies for what is left, since chunks of whole rows have more;
    or "1" or "vectors", where one work-item comes after another."""
    chosen, counts = {}, collections.defaultdict(collections.Counter)
    for name, costs, plan in dumps(maniple, options, "costs.txt", "plan.txt"):
        for kernel in re.findall(r"^mpl_group\.(\w+), line", costs, re.MULTILINE):
            chosen["%s.%s" % (name, kernel)] = "1"
        for kernel, lanes, vectors in re.findall(
                r"^mpl_group\.(\w+), vectors: components in lanes (\d+), as they are (\d+)", costs, re.MULTILINE):
            if int(lanes) > int(vectors):
                chosen["%s.%s" % (name, kernel)] = "vectors"
        for kernel, width, what in re.findall(r"^mpl_group\.(\w+).*?: (\d+) lanes, (.*)$", plan, re.MULTILINE):
            counts["%s.%s" % (name, kernel)][what == "what is left", int(width)] += 1
    for kernel, seen in counts.items():
        chosen[kernel] = str(max(seen, key=lambda w: (w[0], seen[w], w))[1])
    return chosen


def report(maniple, file):
    with open(file) as table:
        header, *rows = [line.rstrip("\n").split("\t") for line in table]
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row[0], row[1]].append(dict(zip(header, row)))
    for (processor, options), kernels in groups.items():
        chosen, misses = chosen_candidates(maniple, options), []
        for row in kernels:
            candidate = chosen.get(row["kernel"])
            if candidate is None:
                continue
            times = [float(row[c]) for c in WIDTHS + ("vectors",)]
            misses.append((float(row[candidate]) / min(times), row["kernel"], candidate))
        misses.sort(reverse=True)
        mean = math.exp(sum(math.log(m) for m, _, _ in misses) / len(misses))
        print("%s, %s: %d kernels, geometric mean %.3f of the best candidate, %d over 1.3" %
              (processor, options, len(misses), mean, sum(m > 1.3 for m, _, _ in misses)))
        for miss, kernel, candidate in misses[:10]:
            print("  %.2f  %s, %s" % (miss, kernel, candidate + " lanes" if candidate in WIDTHS else candidate))


if __name__ == "__main__":
    if len(sys.argv) >= 5 and sys.argv[1] == "measure":
        measure(*sys.argv[2:5], sys.argv[5:])
    elif len(sys.argv) == 4 and sys.argv[1] == "report":
        report(*sys.argv[2:])
    else:
        sys.exit(__doc__)
