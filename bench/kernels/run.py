#!/usr/bin/env python3
"""Ordinary kernels, on Maniple and beside it on other drivers.

    run.py [--rounds N] [--only REGEX] [--list] [-o FOLDER] [DRIVER...]

DRIVER is maniple, intel, pocl, cuda (Maniple on a GPU) or nvidia, with options for it if wanted: maniple:MANIPLE_VECTOR_WIDTH=8,... The
first is what is measured, the others are what it is compared with; by default all that are there.
Each kernel runs in a process of its own, the drivers in turns, with one thread on one processor;
the least processor time of all rounds counts. README.md says more."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

import answers
import catalogue
import table

HERE = os.path.dirname(os.path.abspath(__file__))
INTEL, POCL = os.environ.get("INTEL", ""), os.environ.get("POCL_ICD", "")
MANIPLE = os.environ.get("MANIPLE_ICD", os.path.join(HERE, "../../build/maniple.icd"))
DRIVERS = {
    "maniple": (MANIPLE, {"MANIPLE_DEVICES": "cpu", "MANIPLE_THREADS": "1", "MANIPLE_CACHE": "0",
                          "MANIPLE_BUILD_WARM": "0"}),  # its builds are counted as children
    "intel": (INTEL and os.path.join(INTEL, "libintelocl.so"),
              {"LD_LIBRARY_PATH": INTEL, "CL_CONFIG_CPU_TBB_NUM_WORKERS": "1"}),
    "pocl": (POCL, {"POCL_MAX_PTHREAD_COUNT": "1", "POCL_CPU_MAX_CU_COUNT": "1",
                    "POCL_DEVICES": "cpu", "POCL_KERNEL_CACHE": "0"}),
}
GPUS = {
    "cuda": (MANIPLE, {"MANIPLE_DEVICES": "cuda"}),
    "nvidia": (os.environ.get("NVIDIA_ICD", ""), {}),
}
SECONDS = 240


def environment(driver):
    name, _, options = driver.partition(":")
    icd, own = {**DRIVERS, **GPUS}[name]
    more = dict(option.split("=", 1) for option in options.split(",") if option)
    return {**os.environ, **own, "OCL_ICD_VENDORS": os.path.abspath(icd), **more}


def run(driver, kernel, outputs, cpu):
    """What one.py prints, or an error."""
    command = ["taskset", "-c", cpu, sys.executable, os.path.join(HERE, "one.py"), kernel.name,
               outputs]
    try:
        ran = subprocess.run(command, env=environment(driver), capture_output=True, text=True,
                             timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return {"error": "no end after %d s" % SECONDS}
    lines = ran.stdout.strip().splitlines()
    if ran.returncode == 0 and lines:
        return json.loads(lines[-1])
    if ran.returncode < 0:
        return {"error": "signal %d" % -ran.returncode}
    return {"error": ran.stderr.strip()[:1000] or "status %d" % ran.returncode}


def measure(kernel, drivers, folder, cpu, known):
    """One turn of each driver; `known` is what earlier turns gave."""
    for driver in drivers:
        file = os.path.join(folder, "%d.npz" % drivers.index(driver))
        if os.path.exists(file):
            os.remove(file)
        result, old = run(driver, kernel, file, cpu), known.setdefault(driver, {})
        for what in ("seconds", "build"):
            if what in result and what in old:
                result[what] = min(result[what], old[what])
        known[driver] = result
    made = [np.load(os.path.join(folder, "%d.npz" % d)) if "seconds" in known[driver] else None
            for d, driver in enumerate(drivers)]
    for driver, wrong in zip(drivers, answers.judge(kernel, made)):
        if wrong:
            known[driver]["wrong"] = wrong


def line(known, drivers):
    parts = []
    for driver in drivers:
        result = known[driver]
        parts.append("%s %s" % (driver, "%.3f ms" % (1e3 * result["seconds"])
                                if "seconds" in result else result.get("error", "-")[:100]))
        if "wrong" in result:
            parts.append("WRONG: " + result["wrong"])
    return " | ".join(parts)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("drivers", nargs="*", metavar="DRIVER")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", type=re.compile, default=re.compile(""), metavar="REGEX")
    parser.add_argument("--list", action="store_true", help="the kernels that there are")
    parser.add_argument("--cpu", default=str(min(os.sched_getaffinity(0))), help="to run on")
    parser.add_argument("-o", dest="folder", default=".", help="for kernels.md and kernels.json")
    args = parser.parse_args()
    for driver in args.drivers:
        if driver.partition(":")[0] not in {**DRIVERS, **GPUS}:
            parser.error("no driver '%s'" % driver)
    return args


def main():
    args = arguments()
    kernels = [kernel for kernel in catalogue.present() if args.only.search(kernel.name)]
    if args.list:
        print("\n".join(kernel.name for kernel in kernels))
        return 0
    drivers = args.drivers or [name for name, (icd, _) in DRIVERS.items() if os.path.exists(icd)]
    missing = [d for d in drivers if not os.path.exists({**DRIVERS, **GPUS}[d.partition(":")[0]][0])]
    if missing or not drivers or not kernels:
        print("not there: " + (", ".join(missing) or "any kernel" if drivers else "any driver"),
              file=sys.stderr)
        return 2
    results = {kernel.name: {} for kernel in kernels}
    os.makedirs(args.folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(args.rounds):
            for kernel in kernels:
                measure(kernel, drivers, folder, args.cpu, results[kernel.name])
                print("%-26s %s" % (kernel.name, line(results[kernel.name], drivers)), flush=True)
    with open(os.path.join(args.folder, "kernels.json"), "w") as file:
        json.dump(results, file, indent=1)
    page = table.page(results, drivers, catalogue.missing())
    with open(os.path.join(args.folder, "kernels.md"), "w") as file:
        file.write(page)
    print("\n" + page)
    return 1 if table.faults(results, drivers) else 0


if __name__ == "__main__":
    sys.exit(main())
