"""The figures of one run: look them up, fit their growth, judge them by the goals."""
import json
import math

# Every peer: its name in tables, and whether it is a toolkit's (goals are set against those only).
PEERS = {
    "treekit": ("TreeKit", False),
    "treekit-swift": ("TreeKit in Swift", False),
    "gtk": ("GTK", True),
    "kde": ("KDE", True),
    "flat": ("flat array", False),
    "counts": ("visible counts", False),
    "swift-nested": ("nested structs", False),
}
# Every operation: what it is called, and the bound that TreeKit promises for it.
OPERATIONS = {
    ("build", 0): ("build the source, a node", "O(1) a node"),
    ("expand_all", 0): ("expand all, a row", "O(1) a row"),
    ("node_at", 0): ("row to node", "O(log v)"),
    ("node_at_alone", 0): ("row to node, one after another", "O(log v)"),
    ("row_of", 0): ("node to row", "O(log v)"),
    ("row_of_alone", 0): ("node to row, one after another", "O(log v)"),
    ("find", 0): ("find by identifier", "O(1) expected"),
    ("window", 0): ("window of 50 rows", "O(log v + w + d)"),
    ("collapse", 100): ("collapse 100 rows", "O(log v)"),
    ("expand", 100): ("expand 100 rows", "O(log v)"),
    ("collapse", 10000): ("collapse 10,000 rows", "O(log v)"),
    ("expand", 10000): ("expand 10,000 rows", "O(log v)"),
    ("collapse", 100000): ("collapse 100,000 rows", "O(log v)"),
    ("expand", 100000): ("expand 100,000 rows", "O(log v)"),
    ("insert", 0): ("insert a row", "O(log k + log v)"),
    ("remove", 0): ("remove a row", "O(log k + log v)"),
    ("memory", 0): ("memory a node", "O(1) a node"),
}


class Figures:
    def __init__(self, path):
        self.run = json.load(open(path))
        self.context = self.run["context"]
        self.by_key = {}
        for one in self.run["benchmarks"]:
            if "op" in one:
                self.by_key[one["peer"], one["tree"], one["rows"], one["op"], one["size"]] = one

    def one(self, peer, tree, rows, op, size=0):
        return self.by_key.get((peer, tree, rows, op, size))

    def value(self, peer, tree, rows, op, size=0):
        one = self.one(peer, tree, rows, op, size)
        return one["cpu_time"] if one else None

    def sizes(self, peer, tree, op, size=0):
        return sorted(k[2] for k in self.by_key if (k[0], k[1], k[3], k[4]) == (peer, tree, op, size))

    def series(self, peer, op, size=0, tree="files"):
        return [(rows, self.value(peer, tree, rows, op, size)) for rows in self.sizes(peer, tree, op, size)]

    def rows_of(self, tree):
        return sorted({k[2] for k in self.by_key if k[1] == tree})

    def peers_with(self, tree, op=None):
        return [p for p in PEERS if any(k[0] == p and k[1] == tree and op in (None, k[3]) for k in self.by_key)]

    def why_missing(self, peer, tree, rows=None):
        for one in self.run["missing"]:
            if one["peer"] == peer and one["tree"] == tree and (rows is None or one["rows"] == rows):
                return one["why"]
        return None

    def exponent(self, op, size=0, who="treekit"):
        """Of the power law through its figures from ten thousand to ten million rows."""
        points = [(math.log(r), math.log(v)) for r, v in self.series(who, op, size) if 1e4 <= r <= 1e7 and v > 0]
        if len(points) < 2:
            return None
        x = sum(p[0] for p in points) / len(points)
        y = sum(p[1] for p in points) / len(points)
        return sum((p[0] - x) * (p[1] - y) for p in points) / sum((p[0] - x) ** 2 for p in points)

    def best(self, peers, tree, rows, op, size=0):
        found = [(self.value(p, tree, rows, op, size), p) for p in peers]
        found = [one for one in found if one[0] is not None]
        return min(found) if found else None


class Goal:
    def __init__(self, what, mine, other, who, ratio, wanted, at_least, unit="ns"):
        self.what, self.mine, self.other, self.who, self.unit = what, mine, other, who, unit
        self.ratio, self.wanted, self.at_least = ratio, wanted, at_least
        self.met = ratio >= wanted if at_least else ratio <= wanted


def goals(f):
    """Every goal that this run has figures for. Times as fast: the peer's time over TreeKit's."""
    toolkits = [p for p, (_, is_toolkit) in PEERS.items() if is_toolkit]
    found = []

    def faster(what, rows, op, size, times):
        mine, best = f.value("treekit", "files", rows, op, size), f.best(toolkits, "files", rows, op, size)
        if mine and best:
            found.append(Goal(f"{what}, {count(rows)} rows", mine, best[0], PEERS[best[1]][0], best[0] / mine, times,
                              True))

    for rows in (1000000, 10000000):
        faster("collapse 100,000 rows", rows, "collapse", 100000, 1000)
        faster("expand 100,000 rows", rows, "expand", 100000, 1000)
        faster("collapse 100 rows", rows, "collapse", 100, 2)
        faster("expand 100 rows", rows, "expand", 100, 2)
        faster("insert a row", rows, "insert", 0, 2)
        faster("remove a row", rows, "remove", 0, 2)
        faster("node to row", rows, "row_of", 0, 2)
        faster("expand all, a row", rows, "expand_all", 0, 5)
        for op in ("node_at", "node_at_alone"):
            mine, flat = f.value("treekit", "files", rows, op), f.value("flat", "files", rows, op)
            if mine and flat:
                what = f"{OPERATIONS[op, 0][0]}, {count(rows)} rows"
                found.append(Goal(what, mine, flat, "flat array", mine / flat, 10, False))
    for peer, part in (("gtk", 0.5), ("kde", 0.75)):
        sizes = [r for r in f.sizes(peer, "files", "memory") if f.value("treekit", "files", r, "memory")]
        if sizes:
            mine, other = f.value("treekit", "files", sizes[-1], "memory"), f.value(peer, "files", sizes[-1], "memory")
            found.append(Goal(f"memory a node, {count(sizes[-1])} rows", mine, other, PEERS[peer][0], mine / other,
                              part, False, "bytes"))
    for peer, op, times in (("treekit", "diff_u64", 500), ("treekit-swift", "diff_text", 20)):
        for rows in f.sizes(peer, "edits", op, 100)[-1:]:
            mine, other = f.value(peer, "edits", rows, op, 100), f.value("swift-stdlib", "edits", rows, op, 100)
            if mine and other and rows >= 1000000:
                kind = "handles" if op == "diff_u64" else "strings"
                found.append(Goal(f"diff of {kind}, 1 % edited, {count(rows)} rows", mine, other,
                                  "Swift's difference(from:)", other / mine, times, True))
    for rows in f.sizes("treekit", "keys", "hit_text"):
        best = f.best(["absl", "std", "glib"], "keys", rows, "hit_text")
        if rows >= 1000000 and best:
            mine = f.value("treekit", "keys", rows, "hit_text")
            found.append(Goal(f"find a text, {count(rows)} keys", mine, best[0], best[1], mine / best[0], 1.1, False))
        mine = f.value("treekit-swift", "keys", rows, "hit_text")
        other = f.value("swift-dictionary", "keys", rows, "hit_text")
        if rows >= 1000000 and mine and other:
            found.append(Goal(f"find a String in Swift, {count(rows)} keys", mine, other, "Dictionary", mine / other,
                              1.1, False))
    return found


def count(number):
    for unit, name in ((1000000, "M"), (1000, "k")):
        if number >= unit and number % (unit // 10) == 0:
            return f"{number / unit:g}{name}"
    return f"{number:,}"


def amount(value, unit="ns"):
    """With two or three digits, in the unit that fits."""
    if value is None:
        return "–"
    if unit == "bytes":
        for size, name in ((1 << 30, "GiB"), (1 << 20, "MiB")):
            if value >= size:
                return f"{value / size:.2f} {name}"
        return f"{value:.0f} B" if value >= 100 else f"{value:.1f} B"
    for size, name in ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns")):
        if value >= size:
            value /= size
            return f"{value:.0f} {name}" if value >= 100 else f"{value:.1f} {name}" if value >= 10 else f"{value:.2f} {name}"
    return f"{value:.2f} ns"
