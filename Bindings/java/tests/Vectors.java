import ctreecore.*;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.function.Function;
import java.util.stream.*;

/** Runs the scenarios of Tests/vectors, whose README is the format. */
public final class Vectors {
    private record Step(int line, String[] words, List<String[]> given, List<String> expected) {}

    private static final class Unknown extends RuntimeException {}

    private static final String[] STATUS = {"ok", "no-memory", "invalid", "stale", "range", "duplicate", "limit", "leaf",
        "cycle", "busy", "closed", "cancelled", "superseded", "not-found", "loading", "corrupt"};

    private final Map<String, Object> named = new HashMap<>();
    private final Map<String, List<String>> splices = new HashMap<>();
    private final List<Long> values = new ArrayList<>();
    private List<String> heard = new ArrayList<>(), out = new ArrayList<>();
    private Tree tree;
    private boolean siblings;
    private long listener;
    private String[] w;
    private List<String[]> given;

    private static final Set<String> SEEN = new TreeSet<>();

    // ---- Words

    private void say(Object... parts) {
        out.add(Arrays.stream(parts).map(String::valueOf).collect(Collectors.joining(" ")));
    }

    private void list(long[] nodes) {
        out.add(Stream.concat(Stream.of(String.valueOf(nodes.length)), Arrays.stream(nodes).mapToObj(this::name))
            .collect(Collectors.joining(" ")));
    }

    private static String yes(boolean flag) { return flag ? "yes" : "no"; }
    private static String u(long number) { return Long.toUnsignedString(number); }
    private static String u(int number) { return Integer.toUnsignedString(number); }
    private static long number(String word) { return Long.parseUnsignedLong(word); }
    private static int small(String word) { return Integer.parseUnsignedInt(word); }
    private static int place(String word) { return word.equals("end") ? Tree.END : small(word); }
    private static int levels(String word) { return word.equals("all") ? View.ALL : small(word); }
    private static String row(int row) { return row == -1 ? "-" : u(row); }
    private static State state(String word) { return State.valueOf(word.toUpperCase(Locale.ROOT)); }
    private static String word(State state) { return state.name().toLowerCase(Locale.ROOT); }

    private boolean has(String word) { return Arrays.asList(w).contains(word); }

    private long limit() {
        int at = Arrays.asList(w).indexOf("limit");
        return at < 0 ? 0 : number(w[at + 1]);
    }

    private Progress stopper() { return w[w.length - 1].equals("stop") ? (done, total) -> false : null; }

    private static byte[] unquoted(String word) {
        if (word.length() < 2 || word.charAt(0) != '"') throw new AssertionError(word);
        byte[] bytes = new byte[word.length()];
        int count = 0;
        for (int at = 1; at < word.length() - 1; at++) {
            if (word.charAt(at) == '\\') {
                bytes[count++] = (byte) Integer.parseInt(word.substring(at + 2, at + 4), 16);
                at += 3;
            } else {
                bytes[count++] = (byte) word.charAt(at);
            }
        }
        return Arrays.copyOf(bytes, count);
    }

    private static String quoted(byte[] bytes) {
        StringBuilder word = new StringBuilder("\"");
        for (byte each : bytes) {
            int b = each & 255;
            if (b > 0x20 && b < 0x7f && "\"\\/".indexOf(b) < 0) word.append((char) b);
            else word.append(String.format("\\x%02x", b));
        }
        return word.append('"').toString();
    }

    private Object id(String word) { return tree.hasBytes() ? unquoted(word) : (Object) number(word); }

    private String word(Object id) {
        // No bytes at all come out of C as an address that is not NULL, or as the number 0.
        if (tree.hasBytes()) return quoted(id instanceof byte[] bytes ? bytes : new byte[0]);
        return u((Long) id);
    }

    private List<Object> path(String word) { return Arrays.stream(word.split("/", -1)).map(this::id).toList(); }

    private long node(String word) {
        if (word.equals("-")) return 0;
        if (word.startsWith("$")) return (Long) named.get(word);
        long found = 0;
        if (!siblings) {
            found = tree.find(id(word));
        } else {
            for (Object part : path(word)) {
                found = tree.findChild(found, part);
                if (found == 0) break;
            }
        }
        if (found == 0) throw new Unknown();
        return found;
    }

    private long node(int at) { return node(w[at]); }

    private String name(long node) {
        if (node == 0) return "-";
        if (!tree.contains(node)) return "gone";
        String name = word(tree.id(node));
        while (siblings && (node = tree.parent(node)) != 0) name = word(tree.id(node)) + "/" + name;
        return name;
    }

    private View view(int at) { return (View) named.get(w[at]); }
    private View view() { return view(1); }
    private Rows rows() { return (Rows) named.get(w[1]); }

    private Tree.Load load() {
        return new Tree.Load(node(1), ((Tree.Load) named.get(w[2])).ticket(), false);
    }

    private void window(List<Row> rows) {
        for (Row r : rows) {
            say(r.depth(), name(r.node()), u(r.position()), u(r.siblings()), word(r.state()),
                r.expandable() ? "expandable" : "-", r.expanded() ? "expanded" : "-", r.more() ? "more" : "-");
        }
    }

    private void say(long[] nodes, int[] depths) {
        for (int k = 0; k < nodes.length; k++) say(depths[k], name(nodes[k]));
    }

    private Forest forest() {
        Forest forest = new Forest();
        for (String[] line : given) {
            forest.add(line[0].equals("-") ? Forest.NONE : small(line[0]), id(line[1]),
                line.length > 2 ? number(line[2]) : 0, line.length > 3 ? number(line[3]) : 0,
                line.length > 4 && !line[4].equals("auto") ? state(line[4]) : null);
        }
        return forest;
    }

    private int bits(String[] words, int from) {
        int what = 0;
        for (int k = from; k < words.length; k++) {
            what |= switch (words[k]) {
                case "expanded" -> Saved.EXPANDED;
                case "collapsed" -> Saved.COLLAPSED;
                case "selected" -> Saved.SELECTED;
                default -> throw new AssertionError(words[k]);
            };
        }
        return what;
    }

    private void hear(String when, Edit edit) {
        List<String> line = new ArrayList<>(List.of(when, edit.kind().name().toLowerCase(Locale.ROOT)));
        if (edit.kind() == Edit.Kind.CHANGE) {
            line.add(name(edit.node()));
            if ((edit.changed() & Edit.VALUE) != 0) line.add("value");
            if ((edit.changed() & Edit.REVISION) != 0) line.add("revision");
            if ((edit.changed() & Edit.LOAD_STATE) != 0) line.add("load-state");
        } else {
            line.addAll(List.of(name(edit.parent()), u(edit.first()), u(edit.count())));
        }
        if (edit.kind() == Edit.Kind.MOVE) line.addAll(List.of(name(edit.toParent()), u(edit.toFirst())));
        heard.add(String.join(" ", line));
    }

    private void say(String kind, List<int[]> records) {
        for (int[] record : records) {
            out.add(kind + " " + Arrays.stream(record).mapToObj(Integer::toUnsignedString).collect(Collectors.joining(" ")));
        }
    }

    private void say(Changes b) {
        if (b.reload()) { say("reload"); return; }
        say("rows", u(b.oldCount()), u(b.newCount()));
        for (Changes.Change change : b.changes()) {
            out.add(change.kind().name().toLowerCase(Locale.ROOT) + " "
                + change.numbers().stream().map(Integer::toUnsignedString).collect(Collectors.joining(" ")));
        }
    }

    private void say(SectionChanges b) {
        if (b.reload()) { say("reload"); return; }
        say("sections", u(b.oldSectionCount()), u(b.newSectionCount()), "rows", u(b.oldCount()), u(b.newCount()));
        say("section-delete", b.sectionDeletes());
        say("section-insert", b.sectionInserts());
        say("section-move", b.sectionMoves());
        say("section-change", b.sectionChanges());
        say("delete", b.deletes());
        say("insert", b.inserts());
        say("move", b.moves());
        say("change", b.changes());
    }

    private void diff() {
        Function<String, Object> key = switch (w[1]) {
            case "u64" -> Vectors::number;
            case "ids" -> Vectors::unquoted;
            default -> this::node;
        };
        Diff.Keys keys = Diff.Keys.valueOf(w[1].toUpperCase(Locale.ROOT));
        Map<String, Diff.Side> sides = Map.of("old", new Diff.Side(), "new", new Diff.Side());
        for (String[] line : given) {
            Diff.Side side = sides.get(line[0].substring(0, 3));
            boolean section = line[0].endsWith("-section");
            (section ? side.sections : side.rows).add(key.apply(line[1]));
            if (line.length > 2) (section ? side.sectionRevisions : side.revisions).add(number(line[2]));
            if (section) side.sectionRows.add(0);
            else if (!side.sectionRows.isEmpty()) {
                int last = side.sectionRows.size() - 1;
                side.sectionRows.set(last, side.sectionRows.get(last) + 1);
            }
        }
        Diff.Side before = has("from-nothing") ? null : sides.get("old"), after = sides.get("new");
        switch (w[2]) {
            case "batch" -> say(Diff.batch(before, after, keys, limit(), stopper()));
            case "sections" -> say(Diff.sections(before, after, keys, limit(), stopper()));
            default -> {
                boolean splices = w[2].equals("splices");
                Diff.Steps told = splices ? Diff.splices(before, after, keys, limit(), stopper())
                    : Diff.steps(before, after, keys, limit(), stopper());
                if (told.reload()) { say("reload"); return; }
                say("rows", u(told.oldCount()), u(told.newCount()));
                for (int[] step : told.steps()) {
                    if (splices) say("splice", u(step[0]), u(step[1]), u(step[2]));
                    else if (step[0] == 0) say("step-delete", u(step[1]), u(step[3]));
                    else if (step[0] == 1) say("step-move", u(step[1]), u(step[2]), u(step[3]));
                    else say("step-insert", u(step[2]), u(step[3]));
                }
            }
        }
    }

    // ---- Verbs

    private void store() {
        siblings = w[2].equals("siblings");
        tree = new Tree(w[1].equals("bytes"), siblings, limit(), values::add);
    }

    private void graft() {
        try (Tree other = new Tree(tree.hasBytes(), siblings, 0, null)) {
            other.build(0, Tree.END, forest());
            try {
                tree.graft(node(1), place(w[2]), other, stopper());
            } catch (CTreeException failed) {
                if (other.count() != given.size()) throw new AssertionError("a graft that failed took nodes");
                throw failed;
            }
            if (other.count() != 0) throw new AssertionError("a graft left nodes behind");
        }
    }

    private void listen() {
        listener = tree.listen(new Tree.Listener() {
            @Override public void before(Edit edit) { hear("before", edit); }

            @Override public void after(Edit edit) {
                hear("after", edit);
                try {
                    tree.begin();
                    heard.add("not busy");
                } catch (CTreeException busy) {
                    if (busy.status != 9) heard.add("not busy");
                }
            }

            @Override public void settled() { heard.add("settled"); }
        });
    }

    private void selection() {
        View view = view();
        long[] nodes = view.selected();
        List<String> shown = new ArrayList<>(), hidden = new ArrayList<>();
        for (long node : nodes) (view.rowOf(node) >= 0 ? shown : hidden).add(name(node));
        Collections.sort(hidden);
        shown.addAll(hidden);
        shown.add(0, String.valueOf(nodes.length));
        out.add(String.join(" ", shown));
    }

    private void save() {
        for (Saved entry : view().save(bits(w, 2))) {
            List<String> line = new ArrayList<>();
            line.add(entry.path().stream().map(this::word).collect(Collectors.joining("/")));
            if ((entry.what() & Saved.EXPANDED) != 0) line.add("expanded");
            if ((entry.what() & Saved.COLLAPSED) != 0) line.add("collapsed");
            if ((entry.what() & Saved.SELECTED) != 0) line.add("selected");
            out.add(String.join(" ", line));
        }
        Collections.sort(out);
    }

    private void info() {
        Info i = tree.info(node(1));
        say("parent", name(i.parent()), "value", u(i.value()), "revision", u(i.revision()), "state", word(i.state()),
            "children", u(i.childCount()), "more", yes(i.more()));
    }

    private long[] nodes(int from) { return Arrays.stream(w).skip(from).mapToLong(this::node).toArray(); }
    private int[] smalls(int from) { return Arrays.stream(w).skip(from).mapToInt(Vectors::small).toArray(); }

    private void findMany() {
        long parent = node(1);
        List<Object> ids = Arrays.stream(w).skip(2).map(this::id).toList();
        long[] parents = siblings ? LongStream.generate(() -> parent).limit(ids.size()).toArray() : null;
        list(tree.findMany(ids, parents));
    }

    private void require(boolean holds) { if (!holds) throw new AssertionError(w[0]); }

    private void act() {
        switch (w[0]) {
            case "store" -> store();
            case "close" -> tree.close();
            case "kinds" -> say(tree.hasBytes() ? "bytes" : "u64", tree.hasSiblings() ? "siblings" : "store");
            case "count" -> say(u(tree.count()));
            case "memory" -> require(tree.memory() > 0);
            case "validate" -> tree.validate();
            case "find" -> say(name(tree.find(id(w[1]))));
            case "find-child" -> say(name(tree.findChild(node(1), id(w[2]))));
            case "find-many", "find-many-u64" -> findMany();
            case "name" -> named.put(w[1], node(2));
            case "contains" -> say(yes(tree.contains(node(1))));
            case "node" -> info();
            case "parent" -> say(name(tree.parent(node(1))));
            case "id" -> say(word(tree.id(node(1))));
            case "value" -> say(u(tree.value(node(1))));
            case "revision" -> say(u(tree.revision(node(1))));
            case "state" -> say(word(tree.state(node(1))));
            case "child-count" -> say(u(tree.childCount(node(1))));
            case "child-at" -> say(name(tree.childAt(node(1), small(w[2]))));
            case "children" -> list(tree.children(node(1), small(w[2]), small(w[3])));
            case "ordinal" -> say(u(tree.ordinal(node(1))));
            case "depth" -> say(u(tree.depth(node(1))));
            case "below" -> say(yes(tree.isBelow(node(1), node(2))));
            case "path" -> {
                int[] path = tree.path(node(1));
                out.add(Stream.concat(Stream.of(String.valueOf(path.length)), Arrays.stream(path).mapToObj(Vectors::u))
                    .collect(Collectors.joining(" ")));
            }
            case "at-path" -> say(name(tree.nodeAtPath(smalls(1))));
            case "next" -> say(name(tree.next(node(1), node(2), w[3].equals("yes"))));
            case "walk" -> {
                long root = node(1);
                List<Long> nodes = new ArrayList<>();
                if (root != 0) nodes.add(root);
                for (long at = tree.next(root, root, false); at != 0; at = tree.next(at, root, false)) nodes.add(at);
                list(nodes.stream().mapToLong(node -> node).toArray());
            }
            case "subtree-count" -> say(u(tree.subtreeCount(node(1))));
            case "version" -> {
                String[] parts = Library.version().split("\\.");
                require(Library.number() == Integer.parseInt(parts[0]) * 1000000 + Integer.parseInt(parts[1]) * 1000
                    + Integer.parseInt(parts[2]));
                require(Library.abi() == 0);
            }
            case "status-name" -> say(Library.statusName(small(w[1])));
            case "insert" -> tree.insert(node(1), place(w[2]), id(w[3]), w.length > 4 ? number(w[4]) : 0,
                w.length > 5 ? number(w[5]) : 0, w.length > 6 ? state(w[6]) : State.LEAF);
            case "remove" -> tree.remove(node(1));
            case "remove-children" -> tree.removeChildren(node(1), small(w[2]), small(w[3]));
            case "move" -> tree.move(node(1), node(2), place(w[3]));
            case "set" -> tree.set(node(1), number(w[2]), number(w[3]));
            case "set-leaf" -> tree.setLeaf(node(1), w[2].equals("yes"));
            case "build" -> tree.build(node(1), place(w[2]), forest(), stopper());
            case "graft" -> graft();
            case "reconcile" -> tree.reconcile(node(1), forest(), w[2].equals("moves"), stopper());
            case "begin" -> tree.begin();
            case "end" -> tree.end();
            case "listen" -> listen();
            case "unlisten" -> tree.unlisten(listener);
            case "heard" -> { out = heard; heard = new ArrayList<>(); }
            case "released" -> {
                values.sort(Long::compareUnsigned);
                out.add(Stream.concat(Stream.of(String.valueOf(values.size())), values.stream().map(Vectors::u))
                    .collect(Collectors.joining(" ")));
                values.clear();
            }
            case "request" -> tree.request(node(1));
            case "next-request" -> say(name(tree.nextRequest()));
            case "requests" -> {
                List<Long> nodes = new ArrayList<>();
                for (long node; (node = tree.nextRequest()) != 0;) nodes.add(node);
                list(nodes.stream().mapToLong(node -> node).toArray());
            }
            case "load" -> {
                Tree.Load load = tree.load(node(1), has("reload"));
                named.put(w[2], load);
                if (load.already()) say("loading");
            }
            case "check" -> say(STATUS[tree.checkStatus(load())]);
            case "finish" -> tree.finish(load(), forest(), w[3].equals("moves"));
            case "append" -> tree.append(load(), forest(), w[3].equals("more"));
            case "fail" -> tree.fail(load(), number(w[3]));
            case "cancel" -> tree.cancel(load());
            case "error" -> say(u(tree.error(node(1))));
            case "drop" -> tree.drop(node(1));
            default -> actOnView();
        }
    }

    private void actOnView() {
        switch (w[0]) {
            case "view" -> {
                int flags = (has("sections") ? View.SECTIONS : 0) | (has("forgets") ? View.FORGETS : 0)
                    | (has("empty-can-open") ? View.EMPTY_CAN_OPEN : 0) | (has("records") ? View.RECORDS : 0);
                named.put(w[1], new View(tree, flags, levels(w[2])));
            }
            case "close-view" -> view().close();
            case "view-store" -> say(yes(view().isOf(tree)));
            case "expand" -> view().expand(node(2));
            case "collapse" -> view().collapse(node(2));
            case "toggle" -> view().toggle(node(2));
            case "reveal" -> view().reveal(node(2));
            case "expand-all" -> view().expandAll(node(2), levels(w[3]), stopper());
            case "collapse-all" -> view().collapseAll(node(2));
            case "expanded" -> say(yes(view().isExpanded(node(2))));
            case "visible" -> say(yes(view().isVisible(node(2))));
            case "expandable" -> say(yes(view().isExpandable(node(2))));
            case "rows" -> {
                View.Nodes all = view().nodesFrom(0, view().rowCount());
                say(all.nodes(), all.depths());
            }
            case "nodes-from" -> {
                View.Nodes some = view().nodesFrom(small(w[2]), small(w[3]));
                say(some.nodes(), some.depths());
            }
            case "window" -> window(view().window(small(w[2]), small(w[3])));
            case "row-count" -> say(u(view().rowCount()));
            case "node-at" -> say(name(view().nodeAt(small(w[2]))));
            case "row-of" -> say(row(view().rowOf(node(2))));
            case "nodes-at" -> list(view().nodesAt(smalls(2)));
            case "rows-of" -> {
                int[] rows = view().rowsOf(nodes(2));
                out.add(Stream.concat(Stream.of(String.valueOf(rows.length)), Arrays.stream(rows).mapToObj(Vectors::row))
                    .collect(Collectors.joining(" ")));
            }
            case "ancestors" -> list(view().ancestors(node(2)));
            case "section-count" -> say(u(view().sectionCount()));
            case "section" -> say(name(view().sectionNode(small(w[2]))), u(view().sectionRows(small(w[2]))));
            case "index-path" -> {
                int[] path = view().indexPath(small(w[2]));
                say(u(path[0]), u(path[1]));
            }
            case "row-at" -> say(row(view().rowAt(small(w[2]), small(w[3]))));
            case "view-memory" -> require(view().memory() > 0);
            case "trim" -> view().trim();
            case "compact" -> view().compact();
            case "validate-view" -> view().validate();
            case "select" -> view().select(node(2), w[3].equals("yes"));
            case "select-rows" -> view().selectRows(small(w[2]), small(w[3]), w[4].equals("yes"));
            case "deselect-all" -> view().deselectAll();
            case "selected" -> say(yes(view().isSelected(node(2))));
            case "selected-count" -> say(u(view().selectedCount()));
            case "selection" -> selection();
            case "watch" -> {
                List<String> told = splices.computeIfAbsent(w[1], name -> new ArrayList<>());
                view().watch((at, removed, inserted) -> told.add(u(at) + " " + u(removed) + " " + u(inserted)));
            }
            case "unwatch" -> view().watch(null);
            case "splices" -> {
                out = new ArrayList<>(splices.getOrDefault(w[1], List.of()));
                if (splices.containsKey(w[1])) splices.get(w[1]).clear();
            }
            case "save" -> save();
            case "restore" -> view().restore(
                given.stream().map(line -> new Saved(path(line[0]), bits(line, 1))).toList());
            case "waiting" -> say(u(view().waitingCount()));
            case "forget-waiting" -> view().forgetWaiting();
            case "reveal-path" -> {
                View.Revealed revealed = view().revealPath(path(w[2]));
                say(revealed.visible() ? "ok" : "loading", name(revealed.node()));
            }
            case "commit" -> say(view().commit(limit()));
            case "commit-sections" -> say(view().commitSections(limit()));
            case "accept" -> view().accept();
            case "flatten" -> named.put(w[2], view().flatten(has("lookup"), stopper()));
            case "rows-list" -> say(rows().nodes(), rows().depths());
            case "rows-section-count" -> say(u(rows().sectionCount()));
            case "rows-section" -> say(name(rows().sectionNode(small(w[2]))), u(rows().sectionStart(small(w[2]))));
            case "rows-index-path" -> {
                int[] path = rows().indexPath(small(w[2]));
                say(u(path[0]), u(path[1]));
            }
            case "rows-at" -> say(row(rows().rowAt(small(w[2]), small(w[3]))));
            case "rows-node" -> say(name(rows().nodeAt(small(w[2]))));
            case "rows-row" -> say(row(rows().rowOf(node(2))));
            case "rows-window" -> window(rows().window(view(2), small(w[3]), small(w[4])));
            case "rows-free" -> rows().close();
            case "diff" -> diff();
            default -> throw new AssertionError("no such verb: " + w[0]);
        }
    }

    private String failure(CTreeException failed) {
        String word = STATUS[failed.status];
        if (w[0].equals("insert")) return failed.node == 0 ? word : word + " " + name(failed.node);
        boolean bulk = List.of("build", "graft", "reconcile", "finish", "append").contains(w[0]);
        if (!bulk) return word;
        Function<Long, String> item = at -> at == -1 ? "-" : u(at);
        return word + " item " + item.apply(failed.item) + " other " + item.apply(failed.otherItem) + " node "
            + name(failed.node);
    }

    private List<String> run(Step step) {
        w = step.words;
        given = step.given;
        out = new ArrayList<>();
        SEEN.add(w[0]);
        try {
            act();
        } catch (Unknown nobody) {
            return List.of("unknown");
        } catch (Diff.DuplicateException twice) {
            return List.of("duplicate " + (twice.inNew ? "new" : "old") + (twice.inSections ? " section " : " row ")
                + u(twice.first) + " " + u(twice.second));
        } catch (CTreeException failed) {
            return List.of(failure(failed));
        }
        return out;
    }

    private void end() {
        for (Object held : named.values()) {
            if (held instanceof View view) view.close();
            if (held instanceof Rows rows) rows.close();
        }
        if (tree != null) tree.close();
    }

    private static Map<String, List<Step>> read(Path file) throws IOException {
        Map<String, List<Step>> scenarios = new LinkedHashMap<>();
        List<Step> steps = null;
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (line.startsWith("scenario ")) scenarios.put(line.substring(9), steps = new ArrayList<>());
            else if (line.startsWith("+ ")) steps.get(steps.size() - 1).given.add(line.substring(2).split(" ", -1));
            else if (line.startsWith("= ")) steps.get(steps.size() - 1).expected.add(line.substring(2));
            else if (!line.isEmpty() && !line.startsWith("#")) {
                steps.add(new Step(number, line.split(" ", -1), new ArrayList<>(), new ArrayList<>()));
            }
        }
        return scenarios;
    }

    public static void main(String[] files) throws IOException {
        int ran = 0, failed = 0;
        for (String file : files) {
            for (Map.Entry<String, List<Step>> scenario : read(Path.of(file)).entrySet()) {
                Vectors runner = new Vectors();
                ran++;
                for (Step step : scenario.getValue()) {
                    List<String> printed;
                    try {
                        printed = runner.run(step);
                    } catch (RuntimeException | AssertionError broken) {
                        broken.printStackTrace();
                        printed = List.of(String.valueOf(broken));
                    }
                    if (printed.equals(step.expected)) continue;
                    System.err.printf("%s:%d: %s: %s%n  expected %s%n  printed  %s%n", file, step.line, scenario.getKey(),
                        String.join(" ", step.words), step.expected, printed);
                    failed++;
                    break;
                }
                runner.end();
            }
        }
        System.out.printf("%d scenarios, %d failed, %d verbs%n", ran, failed, SEEN.size());
        if (ran < 100 || failed != 0) System.exit(1);
    }
}
