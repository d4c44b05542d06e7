#!/usr/bin/env python3
"""Fits src/tables/costs.def to measured times.

    fit.py MANIPLE decisions.tsv [--rounds N] [--half SEED]

Builds the kernels for the options of each row, reads what the compiler counts in them (costs.txt of a dump), and looks
for the numbers by which the number of lanes that costs least is the one that took the least time, and by which costs
follow times; then for those by which one work-item comes after another where that took less. Numbers stay near those of the table, those of the makers' manuals (not in FREE) as they are. Prints them,
and by how much the choice misses the best candidate with the numbers of the table and with the new ones. --half fits to
one half of the kernels, chosen by SEED, and tells what the other half says of that."""
import argparse
import collections
import math
import os
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

import catalogue
import one

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = os.path.join(HERE, "..", "..", "src", "tables")
WIDTHS = (4, 8, 16, 32, 64, 128)
FREE = ("shared", "shared-load", "gather", "gather-small", "words", "walk", "walk-written", "parting", "leaving", "test",
        "spill", "carried", "far", "conflict", "masked-load", "masked-store", "load", "store", "scatter", "in-turn",
        "field", "some-lanes", "math", "quotient", "call-each", "product", "integer", "floating", "conversion")
FILLS = (None, "SOME", "RAGGED", "FEW")
LONGEST = (None, None, "RAGGED_LOOP", "FEW_LOOP")
ITEM = 2  # the column of one work-item alone, the same for all processors
OF_ITEM = ("shared", "shared-quotient", "branch", "integer", "floating", "product", "long-product", "conversion", "division",
           "quotient", "math", "call-each", "atomic-each", "parting", "leaving", "shared-load", "load", "store", "field",
           "words", "gather", "gather-small", "scatter", "in-turn", "leap", "ALONE_CHAIN", "AT_A_TIME")
UNITS = {"SCALAR": 0, "ARITHMETIC": 1, "MEMORY": 2}

Row = collections.namedtuple("Row", "unit each")
Target = collections.namedtuple("Target", "row register registers unit bits")
Unit = collections.namedtuple("Unit", "target arrays own_rows rows pieces most loops")  # a work-item loop


def read_table():
    """Rows of costs.def, (word or model's name, column) -> number, and name -> what is given. The column of what costs
    otherwise on a class of processors is its row of targets.def."""
    rows, numbers, given, words = {}, {}, {}, {}
    with open(os.path.join(TABLES, "costs.def")) as table:
        for line in table:
            if found := re.match(r'MPL_COST\((\w+), "(.*?)", (\w+), (\w+), (\d+), (\d+), \d+, (\d+)', line):
                name, word, unit, each, *columns = found.groups()
                rows[word], words[name] = Row(UNITS[unit], each), word
            elif found := re.match(r"MPL_COST_ON\((\w+), (\w+), (\d+)\)", line):
                numbers[words[found[2]], found[1]] = float(found[3])
                continue
            elif found := re.match(r"MPL_COST_MODEL\((\w+), (\d+), (\d+)\)", line):
                word, *columns = found.groups()
            elif found := re.match(r"MPL_COST_GIVEN\((\w+), (\d+)\)", line):
                given[found[1]] = int(found[2])
                numbers[found[1], ITEM] = float(found[2])
                continue
            else:
                continue
            for column, number in enumerate(columns):
                numbers[word, column] = float(number)
    return rows, numbers, given


ROWS, NUMBERS, GIVEN = read_table()
WORDS = list(ROWS)


def read_targets():
    with open(os.path.join(TABLES, "targets.def")) as table:
        found = re.findall(r'^MPL_TARGET\((\w+), "(.*?)", ".*?", ".*?", \w+, \d+, (\d+), (\d+), (\d+), (\w+)',
                           table.read(), re.MULTILINE)
    return {name: Target(row, int(register), int(registers), int(unit), bits == "true")
            for row, name, register, registers, unit, bits in found}


def read_loops(lines):
    """Of a work-item loop: what is known of each inner loop, its counts, and how often it is done for a chunk."""
    loops = []
    for line in lines:
        known = {name: int(value) for name, value in re.findall(r"(\S+) (-?\d+)", line.split(":")[0])}
        counts = [(word, int(fill), int(size), int(count))
                  for word, fill, size, count in re.findall(r"(\S+)/(\d)/(\d)\*(\d+)", line)]
        loops.append((known, counts))
    for known, counts in loops:
        weight, at = min(known["trips"], GIVEN["MOST_TRIPS"]), known
        while at["parent"] >= 0:
            at = loops[at["parent"]][0]
            weight *= min(at["trips"], GIVEN["MOST_TRIPS"])
        yield known, counts, min(weight, GIVEN["MOST_ITERATIONS"])


def counted(maniple, kernel, options, targets):
    """The kernel's work-item loops."""
    with tempfile.TemporaryDirectory() as folder:
        file, source = os.path.join(folder, "kernel.cl"), one.source_of(kernel)
        with open(file, "w") as to:
            to.write(source)
        subprocess.run([maniple, "build", "-q", file, "--dump=" + folder, "-o", os.path.join(folder, "built"),
                        *kernel.options, "-I", os.path.dirname(catalogue.path_of(kernel))], check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       env={**os.environ, "MANIPLE_CACHE": "0", "MANIPLE_BUILD_OPTIONS": options})
        text = ""
        for name in os.listdir(folder):
            costs = os.path.join(folder, name, "costs.txt")
            if os.path.exists(costs):
                with open(costs) as of:
                    text += of.read()
    units = []
    for part in re.split(r"^(?=\S)", text, flags=re.MULTILINE):
        head = re.match(r"mpl_group\.(\w+), line \d+: (\S+), arrays (\d+), own rows (\d+)(, rows)?(, pieces)?, most (\d+)",
                        part)
        if head and head[1] == kernel.kernel:
            units.append(Unit(targets[head[2]], int(head[3]), int(head[4]), bool(head[5]), bool(head[6]), int(head[7]),
                              list(read_loops(part.splitlines()[1:]))))
    return units


def doublings(value, of):
    return max(0, math.ceil(math.log2(value / of))) if value else 0


class Set:
    """Kernels of one kind of masks, with price.c as matrices."""

    def __init__(self, kernels):
        self.names = [name for name, *_ in kernels]
        self.times = np.array([times for _, _, times, _ in kernels])
        self.best = self.times.min(axis=1)
        self.alone = np.array([alone for *_, alone in kernels])
        self.units = [(k, unit) for k, (_, units, *_) in enumerate(kernels) for unit in units]
        self.target = self.units[0][1].target
        self.column = 0 if self.target.bits else 1
        self.own = [key for key in NUMBERS if key[1] == self.target.row]
        loops = [(u, *loop) for u, (_, unit) in enumerate(self.units) for loop in unit.loops]
        self.unit_of = np.array([u for u, *_ in loops])
        self.kernel_of = np.array([k for k, _ in self.units])
        self.weight = np.array([weight for *_, weight in loops], float)
        self.known = {name: np.array([known[name] for _, known, _, _ in loops], float)
                      for name in ("live", "carried", "lane-chain", "item-chain", "simple", "path")}
        self.left = np.array([any(word == "leaving" for word, *_ in counts) for _, _, counts, _ in loops])
        self.width, self.log = np.array(WIDTHS, float), np.log2(WIDTHS)
        self.counts = np.zeros((4, len(loops), len(WIDTHS), len(WORDS)))
        self.item = np.zeros((len(loops), len(WORDS)))
        operations, of_size = np.zeros(len(self.units)), [collections.Counter() for _ in self.units]
        for n, (u, _, counts, weight) in enumerate(loops):
            for word, fill, size, count in counts:
                operations[u] += count * (ROWS[word].each != "ITEM")
                self.item[n, WORDS.index(word)] += count
                if ROWS[word].each == "REGISTER":
                    of_size[u][size] += count * weight
                for w, width in enumerate(WIDTHS):
                    self.counts[fill, n, w, WORDS.index(word)] += count * self.times_of(word, size, width, u)
        narrow = np.array([max(4, self.target.register // max(sizes, key=lambda s: sizes[s], default=4))
                           for sizes in of_size])
        self.held = np.maximum(self.width[None, :], narrow[self.unit_of][:, None])
        each = np.array([ROWS[word].each in ("CHUNK", "REGISTER", "LANE") for word in WORDS])
        self.done = self.counts.sum(axis=0) @ each
        self.is_of = [np.array([ROWS[word].unit == unit for word in WORDS]) for unit in range(3)]
        rows = np.array([unit.rows for _, unit in self.units])
        base = np.where(operations > GIVEN["LARGE"], 1, 2) * GIVEN["ROW"]
        self.beyond = np.maximum(0, self.log[None, :] - np.log2(base)[:, None]) * rows[:, None]
        self.pieces = np.array([unit.pieces for _, unit in self.units])
        self.most = np.array([unit.most for _, unit in self.units])

    def times_of(self, word, size, width, u):
        unit, registers = self.units[u][1], max(1, size * width / self.target.unit)
        return {"ITEM": 0, "CHUNK": 1, "LANE": width, "REGISTER": registers,
                "DOUBLING": registers * doublings(unit.arrays * width, GIVEN["NEAR"]),
                "CONFLICT": width * doublings(unit.own_rows * width, GIVEN["WAYS"])}[ROWS[word].each]

    def loops(self, number):
        cost = np.array([number(word) for word in WORDS])
        fills = [1] + [1 + number(fill) / 100 * self.log for fill in FILLS[1:]]
        filled = sum(np.multiply(self.counts[f].transpose(0, 2, 1), fill).transpose(0, 2, 1)
                     for f, fill in enumerate(fills))
        busy = [filled @ (cost * self.is_of[unit]) for unit in range(3)]
        spilled = lambda what, reserved: np.maximum(0, self.known[what][:, None] * self.held - self.target.register * (
            self.target.registers - number(reserved))) / self.target.register
        carried = spilled("carried", "HELD")
        busy[2] = busy[2] + spilled("live", "RESERVED") * number("spill") + carried * number("carried")
        chain = self.known["lane-chain"]
        waits = np.where(chain > 0, (chain + self.left * number("LEFT")) * number("CHAIN") / 100, 0)[:, None]
        waits = waits + (carried > 0) * (chain > 0)[:, None] * number("SPILLED")
        path = self.known["path"][:, None] * np.minimum(1, self.done / max(number("WINDOW"), 1))
        longest = np.ones(len(self.weight))
        for fill in (2, 3):
            longest[self.counts[fill].any(axis=(1, 2))] = number(LONGEST[fill]) / 100
        return np.maximum.reduce([*busy, self.done * number("ISSUE"), waits, path]) * (self.weight * longest)[:, None]

    def costs(self, numbers):
        """Of each kernel for each number of lanes, of a work-item."""
        number = lambda name: numbers.get((name, self.target.row), numbers[name, self.column])
        units = np.full((len(self.units), len(WIDTHS)), number("CHUNK"))
        np.add.at(units, self.unit_of, self.loops(number))
        units *= 1 + np.where(self.width == 64, number("WIDE"), np.where(self.width > 64, number("WIDEST"), 0)) / 100
        units *= 1 + np.where(self.pieces, number("ROWS_PIECES"), number("ROWS"))[:, None] * self.beyond / 100
        units = np.where(self.width <= self.most[:, None], units, np.inf) / self.width
        kernels = np.zeros((len(self.names), len(WIDTHS)))
        np.add.at(kernels, self.kernel_of, units)
        return kernels

    def choice(self, costs):
        """Which number of lanes, and what it costs."""
        chosen = costs[:, 0].copy()
        pick = np.zeros(len(costs), int)
        for w in range(1, len(WIDTHS)):
            gains = costs[:, w] * (100 + GIVEN["GAIN"]) / 100 < chosen
            pick[gains], chosen[gains] = w, costs[gains, w]
        return pick, chosen

    def costs_alone(self, numbers):
        item = self.item @ np.array([numbers[word, ITEM] for word in WORDS])
        item = np.maximum(item, self.known["item-chain"] * numbers["ALONE_CHAIN", ITEM] / 100) * self.weight
        item = np.where(self.known["simple"] > 0, item / max(numbers["AT_A_TIME", ITEM], 1), item)
        kernels = np.zeros(len(self.names))
        np.add.at(kernels, self.kernel_of[self.unit_of], item)
        return kernels * numbers["ALONE", self.column] / 100

    def misses_alone(self, numbers, pick, of):
        """How much longer lanes, or one work-item after another, take than the better of both; the same softly; and how
        far the costs' ratio is from that of times, where it matters."""
        lanes = self.costs(numbers)[np.arange(len(pick)), pick]
        ratio = np.log(self.costs_alone(numbers) / lanes)[of]
        wanted = np.log(self.alone / self.times[np.arange(len(pick)), pick])[of]
        miss = np.where(ratio > 0, np.maximum(0, -wanted), np.maximum(0, wanted))
        share = 1 / (1 + np.exp(-6 * ratio))
        soft = share * np.maximum(0, -wanted) + (1 - share) * np.maximum(0, wanted)
        near = np.exp(-np.minimum(np.abs(wanted), 3))
        return miss, soft, near * np.clip(ratio - wanted, -2, 2) ** 2

    def misses(self, numbers):
        """How much longer the choice takes than the best; the same softly, as for costs that are nearly known; and how
        far costs are from times, those near the best counting most."""
        costs = self.costs(numbers)
        pick, _ = self.choice(costs)
        miss = self.times[np.arange(len(costs)), pick] / self.best
        share = (costs.min(axis=1)[:, None] / costs) ** 10
        soft = (share * np.log(self.times / self.best[:, None])).sum(axis=1) / share.sum(axis=1)
        near = np.where(np.isfinite(costs), (self.best[:, None] / self.times) ** 2, 0)
        off = np.log(np.where(np.isfinite(costs), costs, 1) / self.times)
        off = np.clip(off - ((near * off).sum(axis=1) / near.sum(axis=1))[:, None], -1.2, 1.2)
        return miss, soft, (near * off * off).sum(axis=1) / near.sum(axis=1)

    def fit(self, rounds, of):
        keys = self.own or [key for key in NUMBERS if key[1] == self.column and
                            (key[0] in FREE or key[0].isupper() and key[0] not in LONGEST + ("ALONE",))]

        def loss(now):
            _, soft, curve = self.misses(now)
            return soft[of].mean() + .3 * np.maximum(0, soft[of] - .15).mean() + .1 * curve[of].mean()

        return search(loss, dict(NUMBERS), keys, rounds, .2)

    def tell(self, what, numbers, of):
        miss = self.misses(numbers)[0][of]
        print("%s, %s: %d kernels, %.3f of the best, %d over 1.3" % (
            what, self.target.row, len(miss), math.exp(np.log(miss).mean()), (miss > 1.3).sum()))


def search(loss, numbers, keys, rounds, stay):
    """Small steps of a few numbers at a time, worse ones too in the beginning."""
    def all_loss(now):
        return loss(now) + stay * sum(math.log((now[key] + 2) / (NUMBERS[key] + 2)) ** 2 for key in keys) / len(keys)

    chance, at = random.Random(1), numbers
    best, here = at, all_loss(at)
    least = here
    for turn in range(rounds):
        left = 1 - turn / rounds
        now = dict(at)
        for key in chance.sample(keys, min(chance.randint(1, 3), len(keys))):
            now[key] = max(0, (now[key] + 1) * math.exp(chance.gauss(0, .5 * left + .08)) - 1)
        new = all_loss(now)
        if new < here or chance.random() < math.exp((here - new) / (.004 * left ** 2 + 1e-9)):
            at, here = now, new
            if new < least:
                best, least = now, new
    return best


def fit_alone(sets, numbers, rounds, of):
    """Of all processors at once; `of`: the kernels of each set."""
    keys = [(word, ITEM) for word in OF_ITEM]
    keys += [(word, s.column) for s in sets for word in LONGEST[2:] + ("ALONE",)]
    picks = [s.choice(s.costs(numbers))[0] for s in sets]

    def loss(now):
        return sum(np.mean(soft) + .02 * np.mean(far) for _, soft, far in
                   (s.misses_alone(now, pick, some) for s, pick, some in zip(sets, picks, of))) / len(sets)

    return search(loss, numbers, keys, rounds, .04)


def tell_alone(what, sets, numbers, of):
    for s, some in zip(sets, of):
        miss = s.misses_alone(numbers, s.choice(s.costs(numbers))[0], some)[0]
        print("%s, %s: lanes or one work-item alone take %.3f of the better" % (
            what, s.target.row, math.exp(miss.mean())))


def read_sets(maniple, file):
    targets, of = read_targets(), collections.defaultdict(list)
    kernels = {kernel.name: kernel for kernel in catalogue.present()}
    with open(file) as table:
        header, *lines = [line.rstrip("\n").split("\t") for line in table]
    for row in (dict(zip(header, line)) for line in lines):
        if row["kernel"] in kernels:
            units = counted(maniple, kernels[row["kernel"]], row["options"], targets)
            times = [float(row[str(width)]) for width in WIDTHS]
            if units:
                of[units[0].target].append((row["kernel"], units, times, float(row["1"])))
    return [Set(kernels) for kernels in of.values()]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("maniple")
    arguments.add_argument("file")
    arguments.add_argument("--rounds", type=int, default=5000)
    arguments.add_argument("--half", type=int)
    arguments = arguments.parse_args()
    sets, seen, held, found = read_sets(arguments.maniple, arguments.file), [], [], dict(NUMBERS)
    for kernels in sets:
        is_in = np.ones(len(kernels.names), bool)
        if arguments.half is not None:
            chosen = set(random.Random(arguments.half).sample(sorted(kernels.names), len(is_in) // 2))
            is_in = np.array([name in chosen for name in kernels.names])
        seen.append(np.flatnonzero(is_in))
        held.append(np.flatnonzero(~is_in) if arguments.half is not None else seen[-1])
        kernels.tell("as they are", NUMBERS, held[-1])
        fitted = kernels.fit(arguments.rounds, seen[-1])
        kernels.tell("fitted", fitted, held[-1])
        column = kernels.target.row if kernels.own else kernels.column
        found.update({key: number for key, number in fitted.items() if key[1] == column})
    tell_alone("as they are", sets, NUMBERS, held)
    found = fit_alone(sets, found, arguments.rounds, seen)
    tell_alone("fitted", sets, found, held)
    for key in sorted(NUMBERS, key=lambda key: (str(key[1]), key[0])):
        if round(found[key]) != NUMBERS[key]:
            column = key[1] if isinstance(key[1], str) else ("bits", "lanes", "item")[key[1]]
            print("%-14s %s %4.0f -> %4.0f" % (key[0], column, NUMBERS[key], found[key]))


if __name__ == "__main__":
    sys.exit(main())
