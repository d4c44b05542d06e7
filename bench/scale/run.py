#!/usr/bin/env python3
"""run.py [-o FOLDER] [--threads N,...] PROGRAMS DRIVER.icd: the jobs of jobs.def as kernels and as loops with
OpenMP, on 1, 2, 4 ... all threads; PROGRAMS is the folder of bench_scale and bench_scale_loops.  Prints the
ratios of their times, and writes scale.tsv and scale.svg, with the speed of both over the loops on one thread."""
import argparse
import math
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PANEL, MARGIN, COLUMNS, TOP = 190, 46, 4, 46
COLOURS = {"kernels": "#1b6ca8", "loops": "#d1872b"}


def jobs():
    with open(os.path.join(HERE, "jobs.def"), encoding="utf-8") as table:
        return dict(re.findall(r'^SCALE_JOB\((\w+), \d+, "(.*)"\)', table.read(), re.M))


def counts():
    most = len(os.sched_getaffinity(0))
    return sorted({1 << i for i in range(most.bit_length()) if 1 << i <= most} | {most})


def run(command, environment):
    done = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=True)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return {job: (float(took), float(answer)) for job, took, answer in rows}


def measure(programs, icd, threads):
    """{(job, who, threads): microseconds}; answers have to agree."""
    times = {}
    for count in threads:
        loops = run([os.path.join(programs, "bench_scale_loops")],
                    {"OMP_NUM_THREADS": str(count), "OMP_PROC_BIND": "true"})
        kernels = run([os.path.join(programs, "bench_scale"), HERE],
                      {"MANIPLE_THREADS": str(count), "MANIPLE_DEVICES": "cpu", "OCL_ICD_VENDORS": icd})
        for who, rows in ("loops", loops), ("kernels", kernels):
            times.update({(job, who, count): took for job, (took, _) in rows.items()})
        for job, (_, answer) in loops.items():
            if not math.isclose(answer, kernels[job][1], rel_tol=1e-3):
                sys.exit(f"{job} with {count} threads: the loops say {answer}, the kernels {kernels[job][1]}")
    return times


def line(times, job, who, threads, x, y):
    points = " ".join(f"{x(count):.1f},{y(times[job, 'loops', 1] / times[job, who, count]):.1f}" for count in threads)
    return f"<polyline points='{points}' fill='none' stroke='{COLOURS[who]}' stroke-width='2'/>"


def panel(times, job, threads, left, top):
    """One job: speed over one thread of the loops, both axes by powers of two."""
    size, most = PANEL - MARGIN, max(1, math.log2(threads[-1]))
    speeds = [times[job, "loops", 1] / times[job, who, count] for who in COLOURS for count in threads]
    low, high = math.floor(math.log2(min(speeds))), max(math.ceil(math.log2(max(speeds))), 1)
    x = lambda count: left + size * math.log2(count) / most
    y = lambda speed: top + size * (high - math.log2(speed)) / (high - low)
    parts = [f"<text x='{left}' y='{top - 8}' font-weight='bold'>{job}</text>"]
    for power in range(low, high + 1, max(1, (high - low) // 5)):
        at = y(2.0**power)
        parts.append(f"<line x1='{left}' y1='{at:.1f}' x2='{left + size}' y2='{at:.1f}' stroke='#ddd'/>"
                     f"<text x='{left - 4}' y='{at + 4:.1f}' text-anchor='end'>{2.0**power:g}x</text>")
    for count in threads:
        parts.append(f"<text x='{x(count):.1f}' y='{top + size + 14}' text-anchor='middle'>{count}</text>")
    return parts + [line(times, job, who, threads, x, y) for who in COLOURS]


def draw(times, threads, file):
    names = list(jobs())
    rows = -(-len(names) // COLUMNS)
    print(f"<svg xmlns='http://www.w3.org/2000/svg' width='{COLUMNS * PANEL + MARGIN}' height='{TOP + rows * PANEL}' "
          "font-family='sans-serif' font-size='11'><rect width='100%' height='100%' fill='white'/>", file=file)
    for i, (who, text) in enumerate((("kernels", "kernels"), ("loops", "C with OpenMP"))):
        print(f"<text x='{MARGIN + i * 90}' y='18' fill='{COLOURS[who]}' font-weight='bold'>{text}</text>", file=file)
    print(f"<text x='{MARGIN + 200}' y='18'>speed over one thread of C, by the number of threads</text>", file=file)
    for i, job in enumerate(names):
        at = MARGIN + i % COLUMNS * PANEL, TOP + i // COLUMNS * PANEL + 8
        print("\n".join(panel(times, job, threads, *at)), file=file)
    print("</svg>", file=file)


def table(times, threads):
    print("time of kernels over that of loops, by the number of threads")
    print(f"{'':12}" + "".join(f"{count:>7}" for count in threads))
    for job, what in jobs().items():
        ratios = [times[job, "kernels", count] / times[job, "loops", count] for count in threads]
        print(f"{job:12}" + "".join(f"{ratio:7.2f}" for ratio in ratios) + "  " + what)
    print(f"{'queues':12}" + "".join(f"{times['queues', 'kernels', count]:7.1f}" for count in threads)
          + "  us for a launch, from as many host threads with a queue each")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("-o", dest="folder", default=".")
    parser.add_argument("--threads", type=lambda text: [int(part) for part in text.split(",")], default=counts())
    parser.add_argument("--scale", action="store_true", help="make bench hands it on")
    parser.add_argument("programs")
    parser.add_argument("icd")
    given = parser.parse_args()
    if given.threads[0] != 1:
        sys.exit("run.py: the first number of threads is 1, over which speeds are")
    times = measure(given.programs, given.icd, given.threads)
    with open(os.path.join(given.folder, "scale.tsv"), "w", encoding="utf-8") as file:
        print("job\twho\tthreads\tmicroseconds", file=file)
        for (job, who, count), took in times.items():
            print(f"{job}\t{who}\t{count}\t{took:.3f}", file=file)
    with open(os.path.join(given.folder, "scale.svg"), "w", encoding="utf-8") as file:
        draw(times, given.threads, file)
    table(times, given.threads)
    print(f"All times and the curves: {given.folder}/scale.tsv, scale.svg")


main()
