#!/usr/bin/env python3
"""What the compiler chooses for each kernel, beside what it could have chosen.

    decisions.py measure PROCESSOR OPTIONS FILE.tsv [run.py's options]
    decisions.py report MANIPLE FILE.tsv

measure runs every kernel as the compiler has it and with each candidate: W lanes, or one work-item after another
with the program's own vectors; and does so again. It writes two rows a kernel: the times, and the lanes of each of
its loops as the compiler has it. PROCESSOR names the machine, OPTIONS are the build options that the rows are for
(-march=...). report builds the kernels of this folder with MANIPLE for the options of each row and says how much
longer what is chosen now takes than the best one: nothing is run, so it says the same on every machine. Where the
loops have the lanes that they had when they were measured, that is the time as the compiler had it, else that of
the candidate with the lanes of all loops; where they have several, and others than then, nobody knows, and the
kernel is not among those of the mean."""
import collections
import glob
import itertools
import json
import math
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
Loops = collections.namedtuple("Loops", "candidate lanes")
WIDTHS = ("1", "4", "8", "16", "32", "64", "128")
COLUMNS = ("processor", "options", "kernel", "chosen") + WIDTHS + ("vectors", "loops")


def drivers(options):
    build = ",MANIPLE_BUILD_OPTIONS=" + options
    candidates = ["MANIPLE_VECTOR_WIDTH=" + width for width in WIDTHS] + ["MANIPLE_CODE_ECONOMY=3"]
    return ["maniple:MANIPLE_DEVICES=cpu" + build] + ["maniple:" + c + build for c in candidates]


def measure(processor, options, file, more):
    results = []
    for _ in range(2):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, os.path.join(HERE, "run.py"), "-o", folder, *more,
                            *drivers(options)], check=False)
            with open(os.path.join(folder, "kernels.json")) as known:
                results += json.load(known).items()
    build = os.path.dirname(os.environ.get("MANIPLE_ICD", os.path.join(HERE, "../../build/maniple.icd")))
    maniple = os.path.join(build, "bin/maniple")
    loops = chosen_loops(maniple, options) if os.path.exists(maniple) else {}  # none is in a bundle for GPUs
    with open(file, "a") as table:
        if not table.tell():
            print("\t".join(COLUMNS), file=table)
        for kernel, known in results:
            times = [known[driver].get("seconds") for driver in drivers(options)]
            if all(times):
                print("\t".join([processor, options, kernel] + ["%.4f" % (1e3 * t) for t in times] +
                                [loops.get(kernel, Loops("", "")).lanes]), file=table)


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


def chosen_loops(maniple, options):
    """kernel -> the candidate that it is, or None where its loops have several numbers of lanes; and those, by the
    copies for what is left, since chunks of whole rows have more: "32 8" and, with a ; in front, those of functions
    for groups of few work-items."""
    found = {}
    for name, costs, plan in dumps(maniple, options, "costs.txt", "plan.txt"):
        serial = {}
        for kernel in re.findall(r"^mpl_group\.(\w+), line", costs, re.MULTILINE):
            serial[kernel] = "1"
        for kernel, lanes, vectors in re.findall(
                r"^mpl_group\.(\w+), vectors: components in lanes (\d+), as they are (\d+)", costs, re.MULTILINE):
            if int(lanes) > int(vectors):
                serial[kernel] = "vectors"
        lanes = collections.defaultdict(lambda: collections.defaultdict(list))
        for function, kernel, width in re.findall(r"^mpl_(\w+)\.(\w+).*?: (\d+) lanes, what is left$", plan, re.MULTILINE):
            lanes[kernel][function].append(width)
        for kernel, candidate in serial.items():
            of = lanes[kernel]
            widths = {width for some in of.values() for width in some}
            found["%s.%s" % (name, kernel)] = Loops(
                candidate if not widths else widths.pop() if len(widths) == 1 else None,
                ";".join(" ".join(of[function]) for function in sorted(of, reverse=True)) or candidate)
    return found


def taken(row, loops):
    """The column of what is chosen now, or None."""
    column = "chosen" if row.get("loops") == loops.lanes else loops.candidate
    return column if column in row else None


def miss(series, loops):
    """How much longer than the best candidate one kernel takes now: the best by one series, timed by another, and so
    for each two of them, as the least of many times is partly noise. None if nobody knows."""
    found = []
    for by, of in itertools.permutations(series, 2) if len(series) > 1 else [2 * series]:
        now, was = taken(of, loops), taken(by, loops)
        best = min([c for c in (was, "vectors") + WIDTHS if c], key=lambda c: float(by[c]))
        if now:
            found.append(0.0 if best == was else math.log(float(of[now]) / float(of[best])))
    return math.exp(sum(found) / len(found)) if found else None


def report(maniple, file):
    with open(file) as table:
        header, *rows = [line.rstrip("\n").split("\t") for line in table]
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in rows:
        groups[row[0], row[1]][row[2]].append(dict(zip(header, row)))
    for (processor, options), kernels in groups.items():
        now = chosen_loops(maniple, options)
        of = {kernel: miss(kernels[kernel], now[kernel]) for kernel in kernels.keys() & now.keys()}
        known = sorted(((m, kernel) for kernel, m in of.items() if m), reverse=True)
        mean = math.exp(sum(math.log(m) for m, _ in known) / len(known))
        once = sum(len(kernels[kernel]) == 1 for _, kernel in known)
        print("%s, %s: %d kernels, geometric mean %.3f of the best candidate, %d over 1.3; not known %d, measured once %d" %
              (processor, options, len(known), mean, sum(m > 1.3 for m, _ in known), len(of) - len(known), once))
        for m, kernel in known[:10]:
            print("  %.2f  %s, lanes %s" % (m, kernel, now[kernel].lanes))


if __name__ == "__main__":
    if len(sys.argv) >= 5 and sys.argv[1] == "measure":
        measure(*sys.argv[2:5], sys.argv[5:])
    elif len(sys.argv) == 4 and sys.argv[1] == "report":
        report(*sys.argv[2:])
    else:
        sys.exit(__doc__)
