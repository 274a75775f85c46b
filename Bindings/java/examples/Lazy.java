import ctreecore.*;
import java.util.List;
import java.util.Map;

/** A tree whose folders are loaded as they are opened, and the batches that a table would take. */
public final class Lazy {
    /** What a database would answer. */
    private static final Map<String, List<String>> BELOW =
        Map.of("library", List.of("novels", "essays"), "novels", List.of("Middlemarch", "Emma"));

    private static String name(Tree tree, long node) { return new String((byte[]) tree.id(node)); }

    private static void loadWhatWasOpened(Tree tree) {
        for (long folder = tree.nextRequest(); folder != 0; folder = tree.nextRequest()) {
            Forest forest = new Forest();
            for (String name : BELOW.getOrDefault(name(tree, folder), List.of())) {
                forest.add(name, name.equals("novels") || name.equals("essays") ? State.UNLOADED : State.LEAF);
            }
            tree.finish(tree.load(folder, false), forest, true);
        }
    }

    private static void show(View view) {
        for (Changes.Change change : view.commit(0).changes()) {
            if (change.kind() != Changes.Kind.INSERT) continue;
            int first = change.numbers().get(0), count = change.numbers().get(1);
            System.out.println("rows " + first + " to " + (first + count - 1) + " came");
        }
        view.accept();
        for (Row row : view.window(0, 20)) {
            String mark = row.expanded() ? "- " : row.expandable() ? "+ " : "  ";
            System.out.println("  ".repeat(row.depth()) + mark + name(view.tree, row.node()));
        }
    }

    public static void main(String[] args) {
        try (Tree tree = new Tree(true, false, 0, null)) {
            long library = tree.insert(0, Tree.END, "library", 0, 0, State.UNLOADED);
            try (View view = new View(tree, View.RECORDS, 0)) {
                view.commit(0);
                view.accept();
                view.expand(library);
                loadWhatWasOpened(tree);
                show(view);
                view.expand(tree.find("novels"));
                loadWhatWasOpened(tree);
                show(view);
            }
        }
    }
}
