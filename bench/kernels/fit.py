#!/usr/bin/env python3
"""Fits src/tables/costs.def to measured times.

    fit.py MANIPLE decisions.tsv [--rounds N] [--half SEED]

Builds the kernels of this folder for the options of each row, reads what the compiler counts in them
(costs.txt of a dump), and looks for the numbers by which the number of lanes that costs least is the one that
took the least time. Only numbers that no maker of processors gives are changed: the rows of MPL_COST_MODEL and
those that FREE names. Prints them, and by how much the choice misses the best candidate with the numbers of
the table and with the new ones. --half fits to one half of the kernels, chosen by SEED, and tells what the
other half says of that."""
import argparse
import collections
import math
import os
import random
import re

import decisions

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = os.path.join(HERE, "..", "..", "src", "tables")
WIDTHS = (4, 8, 16, 32, 64)
FREE = ("shared", "shared-load", "gather", "gather-small", "words", "walk", "parting", "leaving", "test",
        "spill", "masked-load", "masked-store", "field", "some-lanes")
FILLS = (None, "SOME", "RAGGED", "FEW")

GIVEN = {}  # name -> number, of MPL_COST_GIVEN
Row = collections.namedtuple("Row", "unit each")
Loop = collections.namedtuple("Loop", "weight live chain path counts")
Kernel = collections.namedtuple("Kernel", "name bits target loops times")
Target = collections.namedtuple("Target", "registers register unit")


def read_table():
    """The rows of costs.def, and the numbers: (word or model's name, column) -> number."""
    rows, numbers = {}, {}
    with open(os.path.join(TABLES, "costs.def")) as table:
        for line in table:
            if found := re.match(r'MPL_COST\(\w+, "(.*?)", (\w+), (\w+), (\d+), (\d+)', line):
                word, unit, each, *columns = found.groups()
                rows[word] = Row(unit, each)
            elif found := re.match(r"MPL_COST_MODEL\((\w+), (\d+), (\d+)\)", line):
                word, *columns = found.groups()
            elif found := re.match(r"MPL_COST_GIVEN\((\w+), (\d+)\)", line):
                GIVEN[found[1]] = int(found[2])
                continue
            else:
                continue
            for column, number in enumerate(columns):
                numbers[word, column] = float(number)
    return rows, numbers


def read_targets():
    """Name -> its registers, and whether masks are bits."""
    targets = {}
    with open(os.path.join(TABLES, "targets.def")) as table:
        for found in re.finditer(r'^MPL_TARGET\(\w+, "(.*?)", ".*?", ".*?", \w+, \d+, (\d+), (\d+), (\d+), (\w+)',
                                 table.read(), re.MULTILINE):
            name, register, registers, unit, bits = found.groups()
            targets[name] = Target(int(registers), int(register), int(unit)), bits == "true"
    return targets


def read_loop(line):
    known = dict(re.findall(r"(\S+) (-?\d+)", line.split(":")[0]))
    counts = [(row, int(fill), int(size), int(count))
              for row, fill, size, count in re.findall(r"(\S+)/(\d)/(\d)\*(\d+)", line)]
    return {name: int(value) for name, value in known.items()}, counts


def weighted(loops):
    """Each with how often its iterations are done for a chunk."""
    for known, counts in loops:
        weight, at = 1, known
        while True:
            weight *= min(at["trips"], GIVEN["MOST_TRIPS"])
            if at["parent"] < 0:
                break
            at = loops[at["parent"]][0]
        yield Loop(min(weight, GIVEN["MOST_ITERATIONS"]), known["live"], known["lane-chain"], known["path"], counts)


def counted(maniple, options):
    """kernel -> its work-item loops, each (target, arrays, rows, most lanes, loops, nested, item)."""
    kernels = collections.defaultdict(list)
    for name, text in decisions.dumps(maniple, options, "costs.txt", MANIPLE_VECTOR_COSTS="1"):
        for part in re.split(r"^(?=\S)", text, flags=re.MULTILINE):
            head = re.match(r"mpl_group\.(\w+), line \d+: (\S+), arrays (\d+)(, rows)?, most (\d+), "
                            r"item (\d+)", part)
            if not head:
                continue
            kernel, target, arrays, rows, most, item = head.groups()
            loops = [read_loop(line) for line in part.splitlines()[1:]]
            kernels["%s.%s" % (name, kernel)].append(
                (target, int(arrays), bool(rows), int(most), list(weighted(loops)), len(loops) > 1,
                 int(item)))
    return kernels


def read_kernels(maniple, file):
    targets, kernels = read_targets(), []
    with open(file) as table:
        header, *lines = [line.rstrip("\n").split("\t") for line in table]
    measured = [dict(zip(header, line)) for line in lines]
    for options in sorted({row["options"] for row in measured}):
        known = counted(maniple, options)
        for row in measured:
            if row["options"] == options and known.get(row["kernel"]):
                loops = known[row["kernel"]]
                target, bits = targets[loops[0][0]]
                times = [float(row[str(width)]) for width in WIDTHS]
                times.append(min(float(row["1"]), float(row["vectors"])))
                kernels.append(Kernel(row["kernel"], bits, target, loops, times))
    return kernels


class Model:
    """price.c, with other numbers."""

    def __init__(self, rows, numbers):
        self.rows, self.numbers = rows, numbers

    def loop(self, target, bits, loop, width):
        busy, done = collections.defaultdict(float), 0
        number = lambda name: self.numbers[name, 0 if bits else 1]
        for word, fill, size, count in loop.counts:
            row = self.rows[word]
            times = count * (width if row.each == "LANE" else
                             max(1, size * width / target.unit) if row.each == "REGISTER" else 1)
            percent = number(FILLS[fill]) * math.log2(width) if fill else 0
            busy[row.unit] += times * number(word) * (1 + percent / 100)
            done += times
        spilled = max(0, loop.live * width - target.register * (target.registers - number("RESERVED")))
        busy["MEMORY"] += spilled * number("spill") / target.register
        return max(*busy.values(), done * number("ISSUE"), loop.chain,
                   loop.path * min(1, done / number("WINDOW")))

    def chunk(self, kernel, width):
        number = lambda name: self.numbers[name, 0 if kernel.bits else 1]
        total = 0
        for _, arrays, rows, most, loops, nested, _ in kernel.loops:
            if width > most:
                return math.inf
            cost = number("CHUNK") + sum(self.loop(kernel.target, kernel.bits, loop, width) * loop.weight
                                         for loop in loops)
            doublings = lambda value, of: max(0, math.ceil(math.log2(value / of))) if value else 0
            cost *= 1 + number("FAR") * doublings(arrays * width, GIVEN["NEAR"]) / 100
            cost *= 1 + number("WIDE") * (width / 64) ** 2 / 100
            if rows:
                cost *= 1 + number("ROWS_LOOP" if nested else "ROWS") * doublings(width, GIVEN["ROW"]) / 100
            total += cost
        return total / width

    def misses(self, kernel):
        """How much longer the choice takes than the best; and softly, as for costs that are nearly known."""
        costs = [self.chunk(kernel, width) for width in WIDTHS]
        items = sum(loop[-1] for loop in kernel.loops)
        costs.append(items * self.numbers["ITEMS", 0 if kernel.bits else 1] / 100)
        least, best = min(costs), min(kernel.times)
        chosen = kernel.times[costs.index(least)] / best
        shares = [(least / cost) ** 16 if cost < math.inf else 0 for cost in costs]
        soft = sum(share * math.log(time / best) for share, time in zip(shares, kernel.times)) / sum(shares)
        return chosen, soft


def fit(rows, numbers, kernels, rounds):
    """Small steps of a few numbers at a time, of which those stay that are better; far from where they
    began they cost."""
    keys = [key for key in numbers if key[0].isupper() or key[0] in FREE]
    used = {bool(kernel.bits) for kernel in kernels}
    keys = [key for key in keys if (key[1] == 0) in used]

    def loss(now):
        model = Model(rows, now)
        far = sum(math.log((now[key] + 1) / (numbers[key] + 1)) ** 2 for key in keys)
        return sum(model.misses(kernel)[1] for kernel in kernels) / len(kernels) + 1e-3 * far

    chance, best = random.Random(1), dict(numbers)
    least = loss(best)
    for _ in range(rounds):
        now = dict(best)
        for key in chance.sample(keys, chance.randint(1, 3)):
            now[key] *= math.exp(chance.gauss(0, .3))
        if (new := loss(now)) < least:
            least, best = new, now
    return best


def tell(what, rows, numbers, kernels):
    model = Model(rows, numbers)
    for bits in (True, False):
        chosen = [model.misses(kernel)[0] for kernel in kernels if kernel.bits == bits]
        if chosen:
            print("%s, masks of %s: %d kernels, %.3f of the best, %d over 1.3" % (
                what, "bits" if bits else "lanes", len(chosen),
                math.exp(sum(map(math.log, chosen)) / len(chosen)), sum(miss > 1.3 for miss in chosen)))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("maniple")
    arguments.add_argument("file")
    arguments.add_argument("--rounds", type=int, default=1000)
    arguments.add_argument("--half", type=int)
    arguments = arguments.parse_args()
    rows, numbers = read_table()
    kernels = held = read_kernels(arguments.maniple, arguments.file)
    if arguments.half is not None:
        names = sorted({kernel.name for kernel in kernels})
        half = set(random.Random(arguments.half).sample(names, len(names) // 2))
        held = [kernel for kernel in kernels if kernel.name not in half]
        kernels = [kernel for kernel in kernels if kernel.name in half]
    tell("as they are", rows, numbers, held)
    found = fit(rows, numbers, kernels, arguments.rounds)
    tell("fitted", rows, found, held)
    for key in sorted({key[0] for key in numbers}):
        if any(round(found[key, c]) != numbers[key, c] for c in (0, 1)):
            print("%-14s bits %4.0f -> %4.0f   lanes %4.0f -> %4.0f" % (
                key, numbers[key, 0], found[key, 0], numbers[key, 1], found[key, 1]))


if __name__ == "__main__":
    main()
