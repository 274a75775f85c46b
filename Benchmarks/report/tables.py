"""The figures of a run as Markdown tables."""
from figures import OPERATIONS, PEERS, amount, count, goals

TREES = {
    "machine": "the file system of the machine",
    "json": "a JSON document",
    "classes": "a class hierarchy",
    "siblings": "siblings: all are children of one node",
    "chain": "a chain: each node is the only child of the one before",
    "ten": "ten children each",
}


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def unit_of(op):
    return "bytes" if op.startswith("memory") else "ns"


def machine(f):
    c = f.context
    lines = [
        f"Run of {c['date']}, commit `{c['commit']}`, mode {c['mode']}, {c.get('minutes', '?')} minutes; load average "
        f"before it {c['load_before']:.2f}.",
        "",
        f"- {c['cpu']}, {c['cores']} cores, {amount(c['memory'], 'bytes')}; {c['system']}, {c['distribution']}",
        f"- {c['compiler']}; {c['swift'] or 'no Swift'}",
    ]
    lines += [f"- `{name}`: {what}" for name, what in sorted(c["peers"].items())]
    absent = [p for p in PEERS if not f.peers_with("files") or p not in f.peers_with("files")]
    for peer in absent:
        lines.append(f"- `{peer}`: **not measured**, {f.why_missing(peer, 'files') or 'not installed'}")
    return "\n".join(lines)


def cell(f, peer, tree, rows, op, size=0):
    value = f.value(peer, tree, rows, op, size)
    if value is None and (f.why_missing(peer, tree, rows) or "").startswith("crashed"):
        return "crashes"
    return "–" if value is None else amount(value, unit_of(op))


def side_by_side(f, rows):
    peers = [p for p in f.peers_with("files") if f.value(p, "files", rows, "build") is not None]
    if not peers:
        return "No figures of this size."
    body = []
    for (op, size), (name, _) in OPERATIONS.items():
        cells = [cell(f, p, "files", rows, op, size) for p in peers]
        if any(c != "–" for c in cells):
            body.append([name] + cells)
    return table([f"{count(rows)} rows"] + [PEERS[p][0] for p in peers], body)


def peers(f):
    sizes = [r for r in f.rows_of("files") if 100000 <= r <= 10000000]
    parts = [side_by_side(f, rows) for rows in sizes or f.rows_of("files")[-1:]]
    gone = [one for one in f.run["missing"] if one["tree"] == "files" and one["why"] != "not installed"]
    parts += ["\n".join(f"- {PEERS.get(g['peer'], [g['peer']])[0]}, {count(g['rows'])} rows: {g['why']}." for g in gone)]
    return "\n\n".join(part for part in parts if part)


def growth(f):
    sizes = [r for r in f.rows_of("files") if r <= 10000000]
    body = []
    read = [f.value("machine", "files", rows, "dependent_read") for rows in sizes]
    if any(read):
        exponent = f.exponent("dependent_read", who="machine")
        body.append(["*the machine: a dependent random read*"] + ["–" if v is None else amount(v) for v in read]
                    + ["–" if exponent is None else f"{exponent:.2f}", "–"])
    for (op, size), (name, bound) in OPERATIONS.items():
        values = [f.value("treekit", "files", rows, op, size) for rows in sizes]
        if not any(values):
            continue
        exponent = f.exponent(op, size)
        body.append([name] + ["–" if v is None else amount(v, unit_of(op)) for v in values]
                    + ["–" if exponent is None else f"{exponent:.2f}", bound])
    return table(["TreeKit"] + [count(r) for r in sizes] + ["exponent", "promised"], body)


def judged(f):
    body = []
    for goal in goals(f):
        wanted = f"{'at least' if goal.at_least else 'at most'} {goal.wanted:g} times"
        ratio = f"{goal.ratio:,.0f}" if goal.ratio >= 100 else f"{goal.ratio:.2f}" if goal.ratio < 10 else f"{goal.ratio:.1f}"
        body.append([goal.what, amount(goal.mine, goal.unit), f"{amount(goal.other, goal.unit)} ({goal.who})", ratio,
                     wanted, "met" if goal.met else "**missed**"])
    if not body:
        return "This run has no figures that goals are set for."
    return table(["goal", "TreeKit", "peer", "ratio", "wanted", "verdict"], body)


def lives(f):
    parts = []
    for tree, name in TREES.items():
        for rows in reversed(f.rows_of(tree)):
            who = [p for p in f.peers_with(tree) if f.value(p, tree, rows, "build") is not None]
            if not who:
                continue
            body = []
            for op, size, title in (("build", 0, "build, a node"), ("expand_all", 0, "expand all, a row"),
                                    ("node_at", 0, "row to node"), ("row_of", 0, "node to row"),
                                    ("window", 0, "window of 50"), ("collapse", 100, "collapse 100"),
                                    ("expand", 100, "expand 100"), ("collapse", 1000000, "collapse all of a root"),
                                    ("expand", 1000000, "expand it again"), ("insert", 0, "insert"),
                                    ("remove", 0, "remove"), ("memory", 0, "memory a node")):
                cells = [cell(f, p, tree, rows, op, size) for p in who]
                if any(c != "–" for c in cells):
                    body.append([title] + cells)
            asked = None if tree == "machine" else rows  # how many there are shows when it was read
            gone = [f"{PEERS[p][0]} {f.why_missing(p, tree, asked)}" for p in PEERS if f.why_missing(p, tree, asked)]
            text = f"**{name[0].upper()}{name[1:]}** ({count(rows)} nodes)\n\n"
            text += table([""] + [PEERS[p][0] for p in who], body)
            parts.append(text + (f"\n\nNo more of it: {'; '.join(gone)}." if gone else ""))
    return "\n\n".join(parts) or "This run has no such trees."


def sessions(f):
    parts = []
    for tree, suffix, name in (("machine", "", "the file system of the machine, closed at first"),
                               ("json", "_all_open", "a JSON document, everything open at first")):
        body = []
        for peer in PEERS:
            key = next((k for k in f.by_key if k[0] == peer and k[1] == tree and k[3] == "session" + suffix), None)
            if key is None:
                why = f.why_missing(peer, tree + " session")
                if why and why != "not installed":
                    body.append([PEERS[peer][0], why] + ["–"] * 7)
                continue
            all_steps = f.by_key[key]

            def part(kind):
                one = f.one(peer, tree, key[2], f"session{suffix}_{kind}")
                return "–" if one is None else f"{amount(one['cpu_time'])} / {amount(one['p999'])}"

            left = f.value(peer, tree, key[2], f"session{suffix}_rows")
            body.append([PEERS[peer][0], f"{all_steps['iterations']:,}", amount(all_steps["cpu_time"]),
                         amount(all_steps["p999"]), part("open"), part("close"), part("scroll"), part("reload"),
                         f"{left:,.0f}"])
        if body:
            parts.append(f"**On {name}**\n\n" + table(
                ["", "steps", "median", "99.9th percentile", "open", "close", "scroll", "reload", "rows left"], body))
    return "\n\n".join(parts) or "This run replayed no session."


def index(f):
    who = [p for p in ("treekit", "absl", "std", "glib", "treekit-swift", "swift-dictionary")
           if any(k[0] == p and k[1] == "keys" for k in f.by_key)]
    parts = []
    for rows in f.rows_of("keys")[-2:]:
        body = []
        for kind, kind_name in (("u64", "64-bit numbers"), ("text", "texts of 24 bytes")):
            for op, name in (("hit", "found"), ("many", "found, 256 at a time"), ("miss", "not found"),
                             ("build", "build, each"), ("memory", "memory each")):
                cells = [cell(f, p, "keys", rows, f"{op}_{kind}") for p in who]
                if any(c != "–" for c in cells):
                    body.append([f"{kind_name}: {name}"] + cells)
        parts.append(table([f"{count(rows)} keys"] + who, body))
    return "\n\n".join(parts) or "This run has no figures of the index."


def diff(f):
    body = []
    for rows in f.rows_of("edits"):
        for op, kind in (("diff_u64", "numbers"), ("diff_text", "strings of 24 bytes")):
            standard = f.value("swift-stdlib", "edits", rows, op, 100)
            for who, name in (("treekit", "CTreeCore, handles"), ("treekit-swift", "TreeKit in Swift, " + kind)):
                mine = f.value(who, "edits", rows, op, 100)
                if mine and standard:
                    body.append([f"{count(rows)} rows", name, f"{mine:.1f}", f"{standard:.0f}", f"{standard / mine:.0f}"])
    if not body:
        return "This run has no figures of the diff."
    return table(["1 % edited", "", "ns a row", "`difference(from:).inferringMoves()`", "times as fast"], body)


def core(f, case, what):
    """What Google Benchmark measured of the core: the counters of one benchmark."""
    name = f"view/{case}/{what}/"
    return next((one for one in f.run["benchmarks"] if one["peer"] == "core" and one["name"].startswith(name)), None)


def limits(f):
    """Look-ups beside the machine's own reads."""
    sizes = (10000, 1000000, 10000000)
    body = []
    for what, name in (("node_at", "row to node"), ("row_of", "node to row"), ("nodes_at", "row to node, many at once"),
                       ("rows_of", "node to row, many at once"), ("window", "window of 100 rows"),
                       ("nodes_from", "nodes of 100 rows"), ("windows", "all rows by windows, a row"),
                       ("scan", "all nodes, a row")):
        cells = []
        for rows in sizes:
            one = core(f, f"files/{rows}", what)
            ratio = "" if one is None else f"{one['perS']:.1f} S" if "perS" in one else f"{one['perL']:.2f} L"
            cells.append("–" if one is None else f"{amount(one['ns'])}, {ratio}")
        if any(cell != "–" for cell in cells):
            body.append([name] + cells)
    return table([""] + [f"{count(r)} rows" for r in sizes], body) if body else "This run has no such figures."


def changes(f):
    """Changes of a view: median and 99th percentile."""
    cases = [("files/10000", "files, 10k"), ("files/1000000", "files, 1M"), ("files/10000000", "files, 10M"),
             ("ten/10000000", "ten each, 10M"), ("chain/1000000", "chain, 1M"), ("siblings/1000000", "siblings, 1M")]
    body = []

    def row(name, what, counter, scale=1000, tail=None):
        cells = []
        for case, _ in cases:
            one = core(f, case, what)
            if one is None or counter not in one:
                cells.append("–")
            elif tail is None:
                cells.append(f"{one[counter]:.2f} B" if scale == 0 else amount(one[counter] * scale))
            else:
                cells.append(f"{amount(one[counter] * scale)} / {amount(one[tail] * scale)}")
        if any(cell != "–" for cell in cells):
            body.append([name] + cells)

    for size in (10, 1000, 100000, 1000000):
        row(f"collapse {size:,} rows", f"toggle {size}", "close_us", tail="close_p99")
    for size in (10, 1000, 100000, 1000000):
        row(f"expand {size:,} rows", f"toggle {size}", "open_us", tail="open_p99")
    row("expand for the first time, a row", "toggle 1000", "first_ns_row", scale=1)
    row("insert", "insert and remove", "insert_us", tail="insert_p99")
    row("remove", "insert and remove", "remove_us", tail="remove_p99")
    row("of that the store alone: insert", "insert and remove", "store_insert_us")
    row("of that the store alone: remove", "insert and remove", "store_remove_us")
    row("move 100,000 rows", "move 100000", "move_us", tail="move_p99")
    for splices in (1, 100, 10000):
        row(f"commit of {splices:,} change{'s' * (splices > 1)}", f"commit {splices}", "commit_us", tail="commit_p99")
    row("build the rows, a row", "build", "ns", scale=1)
    row("the same, slots in random order", "build scattered", "ns", scale=1)
    row("memory a row, 5 bytes a slot apart", "build", "bytes_row", scale=0)
    return table([""] + [name for _, name in cases], body) if body else "This run has no such figures."


def huge(f):
    rows = 100000000
    if f.value("treekit", "files", rows, "build") is None:
        return f"Not measured: {f.why_missing('treekit', 'files', rows) or 'not part of this run'}."
    body = [["build", amount(f.value("treekit", "files", rows, "build") * rows)],
            ["expand everything", amount(f.value("treekit", "files", rows, "expand_all") * rows)]]
    for op, size, name in (("memory_source", 0, "memory a node, the store alone"), ("memory", 0, "and its rows"),
                           ("find", 0, "find by identifier"), ("node_at", 0, "row to node"),
                           ("row_of", 0, "node to row"), ("window", 0, "window of 50 rows"),
                           ("collapse", 100000, "collapse 100,000 rows"), ("expand", 100000, "expand 100,000 rows"),
                           ("collapse", 1000000, "collapse a million rows"), ("insert", 0, "insert a row"),
                           ("remove", 0, "remove a row")):
        value = f.value("treekit", "files", rows, op, size)
        if value is not None:
            body.append([name, amount(value, unit_of(op))])
    peak = f.value("treekit", "files", rows, "peak_memory")
    if peak is not None:
        body.append(["most memory of the whole process, the benchmark's own arrays included", amount(peak, "bytes")])
    return table(["100 million nodes in one store", ""], body)


def short(f):
    """For the README: the largest size that TreeKit and a toolkit both ran."""
    toolkits = [p for p in ("gtk", "kde") if f.peers_with("files") and p in f.peers_with("files")]
    sizes = [r for r in f.rows_of("files") if r <= 10000000 and f.value("treekit", "files", r, "insert")
             and any(f.value(p, "files", r, "insert") for p in toolkits)]
    if not sizes:
        return "No toolkit was measured."
    rows = 1000000 if 1000000 in sizes else sizes[-1]
    who = [p for p in PEERS if f.value(p, "files", rows, "build")]
    body = []
    for op, size in (("collapse", 100000), ("expand", 100000), ("collapse", 100), ("insert", 0), ("row_of", 0),
                     ("node_at", 0), ("memory", 0)):
        body.append([OPERATIONS[op, size][0]] + [cell(f, p, "files", rows, op, size) for p in who])
    for tree, name in (("siblings", "among siblings"), ("chain", "in a chain")):
        if f.value("treekit", tree, rows, "node_at"):
            body.append([f"row to node {name}"] + [cell(f, p, tree, rows, "node_at") for p in who])
    return table([f"{count(rows)} rows"] + [PEERS[p][0] for p in who], body)


def controller(f):
    """For the article on performance: what a TreeController takes, by size."""
    sizes = [r for r in f.rows_of("files") if 10000 <= r <= 10000000 and f.value("treekit-swift", "files", r, "build")]
    body = []
    for op, size in (("collapse", 100), ("expand", 100), ("collapse", 100000), ("expand", 100000), ("insert", 0),
                     ("remove", 0), ("node_at", 0), ("row_of", 0), ("window", 0), ("build", 0), ("expand_all", 0)):
        body.append([OPERATIONS[op, size][0]] + [cell(f, "treekit-swift", "files", r, op, size) for r in sizes])
    for op, name in (("memory_source", "memory an item"), ("memory", "memory an item and its row")):
        body.append([name] + [cell(f, "treekit-swift", "files", r, op) for r in sizes])
    return table([""] + [f"{count(r)} rows" for r in sizes], body) if sizes else "Not measured."


PARTS = {
    "machine": machine, "peers": peers, "growth": growth, "goals": judged, "lives": lives, "sessions": sessions,
    "index": index, "diff": diff, "limits": limits, "changes": changes, "huge": huge, "short": short,
    "controller": controller,
}
