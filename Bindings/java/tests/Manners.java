import ctreecore.*;
import java.util.ArrayList;
import java.util.List;

/** What the classes promise: exceptions, listeners, splices, batches, loads, closing. */
public final class Manners {
    private static void same(Object got, Object wanted) {
        if (!got.equals(wanted)) throw new AssertionError("got " + got + ", not " + wanted);
    }

    private static String failure(Runnable call) {
        try {
            call.run();
        } catch (CTreeException failed) {
            return failed.getMessage();
        } catch (IllegalStateException thrown) {
            return "thrown " + thrown.getMessage();
        }
        return "ok";
    }

    public static void main(String[] args) {
        List<Long> released = new ArrayList<>();
        Tree tree = new Tree(false, false, 0, released::add);
        View view = new View(tree, View.RECORDS, 0);
        List<String> heard = new ArrayList<>();
        view.watch((row, removed, inserted) -> heard.add(row + " " + removed + " " + inserted));
        tree.build(0, Tree.END, new Forest().add(-1, 1L, 10, 0, null).add(0, 2L, 20, 0, null).add(-1, 3L, 0, 0, State.UNLOADED));
        same(heard, List.of("0 0 2"));
        same(view.commit(0).reload(), true);
        view.accept();
        view.expand(tree.find(1L));
        same(view.commit(0).changes().toString(), "[Change[kind=INSERT, numbers=[1, 1]]]");
        view.accept();
        same(view.rowCount(), 3);
        same(view.rowOf(tree.find(2L)), 1);
        same(view.window(1, 9).toString().contains("depth=1"), true);
        same(failure(() -> tree.insert(0, Tree.END, 2L, 0, 0, State.LEAF)), "duplicate");
        same(failure(() -> tree.insert(0, Tree.END, "2", 0, 0, State.LEAF)), "invalid");
        same(failure(() -> tree.remove(12345L)), "stale");

        long token = tree.listen(new Tree.Listener() {
            @Override public void after(Edit edit) {
                same(failure(tree::begin), "busy");
                throw new IllegalStateException("heard");
            }
        });
        same(failure(() -> tree.remove(tree.find(2L))), "thrown heard");
        same(tree.count(), 2L);
        same(released, List.of(20L));
        tree.unlisten(token);

        view.expand(tree.find(3L));
        Tree.Load load = tree.load(tree.nextRequest(), false);
        tree.finish(load, new Forest().add(4L, State.LEAF), true);
        same(tree.children(tree.find(3L)), List.of(tree.find(4L)));
        same(failure(() -> tree.check(load)) .equals("ok"), false);
        tree.validate();
        view.validate();
        tree.close();
        same(released.contains(10L), true);
        same(failure(() -> view.expand(1)), "closed");
        same(failure(tree::count), "closed");
        view.close();
        System.out.println("Java: all as promised");
    }
}
