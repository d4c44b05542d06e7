"""The results as a page."""
import math


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def seconds(results, name, driver):
    return results[name].get(driver, {}).get("seconds")


def measured(drivers):
    """The first driver, and others of the same name with other options."""
    name = drivers[0].partition(":")[0]
    return [driver for driver in drivers if driver.partition(":")[0] == name]


def ratio(results, name, driver, other):
    one, two = seconds(results, name, driver), seconds(results, name, other)
    return one / two if one and two else None


def note(results, name, driver):
    result = results[name].get(driver, {})
    for what in ("wrong", "error", "lacks"):
        if what in result:
            return "%s: %s: %s" % (driver, what, result[what].replace("\n", " ")[:160])
    return None


def faults(results, drivers):
    """Kernels that the measured driver does not run, or runs wrongly."""
    return [name for name in results for driver in measured(drivers)
            if "wrong" in results[name].get(driver, {}) or "error" in results[name].get(driver, {})]


def rows(results, drivers, pairs):
    def worst_first(name):
        return -max([ratio(results, name, *pair) or 0 for pair in pairs] or [0])

    for name in sorted(results, key=worst_first):
        cells = [name]
        for driver in drivers:
            time = seconds(results, name, driver)
            cells.append("%.4f" % (1e3 * time) if time else "-")
        for pair in pairs:
            value = ratio(results, name, *pair)
            cells.append("%.2f" % value if value else "-")
        cells.append("; ".join(filter(None, (note(results, name, driver) for driver in drivers))))
        yield "| %s |" % " | ".join(cells)


def classes(results):
    """Name -> kernels; then all."""
    found = {}
    for name in results:
        found.setdefault(name.partition(".")[0], []).append(name)
    return list(found.items()) + [("**all**", list(results))]


def means(results, pairs):
    for name, kernels in classes(results):
        cells = [name, str(len(kernels))]
        for pair in pairs:
            values = [v for v in (ratio(results, kernel, *pair) for kernel in kernels) if v]
            cells.append("%.2f" % geometric_mean(values) if values else "-")
        yield "| %s |" % " | ".join(cells)


def behind(results, drivers, driver):
    """How many take longer than the best of the others by more than a tenth, and by three."""
    others = [d for d in drivers if d not in measured(drivers)]
    best = {name: min(filter(None, (seconds(results, name, d) for d in others)), default=None)
            for name in results}
    values = [seconds(results, name, driver) / best[name] for name in results
              if best[name] and seconds(results, name, driver)]
    return sum(v > 1.1 for v in values), sum(v > 1.3 for v in values), len(values)


def builds(results, driver, other):
    """How long building and the first launch take."""
    times = {name: [results[name].get(d, {}).get("build") for d in (driver, other)]
             for name in results}
    values = {name: one / two for name, (one, two) in times.items() if one and two}
    if not values:
        return "not compared"
    worst = max(values, key=values.get)
    return "geometric mean %.2f, worst %.2f (%s)" % (geometric_mean(list(values.values())),
                                                     values[worst], worst)


def heading(cells):
    """Names and notes stand left, numbers right."""
    return ["| %s |" % " | ".join(cells),
            "|%s" % "".join("---|" if cell in ("class", "kernel", "note") else "--:|"
                            for cell in cells)]


def page(results, drivers, missing):
    own = measured(drivers)
    pairs = [(driver, other) for other in drivers if other not in own for driver in own]
    titles = ["%s / %s" % pair for pair in pairs]
    lines = ["# Ordinary kernels", "",
             "Processor time of one launch in ms, the least of all runs, and its ratios.", ""]
    lines += heading(["class", "kernels"] + titles) + list(means(results, pairs)) + [""]
    if pairs:
        for driver in own:
            tenth, three, count = behind(results, drivers, driver)
            lines.append("- %s: %d of %d kernels over 1.1 times the best of the others, %d over 1.3"
                         % (driver, tenth, count, three))
    lines += ["- Processor time to build and launch once, %s / %s: %s"
              % (driver, other, builds(results, driver, other)) for driver, other in pairs]
    wrong = faults(results, drivers)
    lines += ["- Wrong or failed: %s" % (", ".join(sorted(set(wrong))) or "none")]
    if missing:
        lines.append("- Not fetched: %s" % ", ".join("%d kernels of %s" % (count, name)
                                                        for name, count in missing.items()))
    lines += [""] + heading(["kernel"] + drivers + titles + ["note"])
    return "\n".join(lines + list(rows(results, drivers, pairs))) + "\n"
