package ctreecore;

import java.util.ArrayList;
import java.util.List;
import jdk.incubator.foreign.*;

/** One way of looking at a tree: which nodes are expanded and selected. */
public final class View implements AutoCloseable {
    /** All levels. */
    public static final int ALL = -1;
    /** Flags: sections, collapse forgets, empty nodes can open, changes are kept for commit. */
    public static final int SECTIONS = 1, FORGETS = 2, EMPTY_CAN_OPEN = 4, RECORDS = 8;
    /** Its tree. */
    public final Tree tree;
    private MemoryAddress raw;
    private MemoryAddress stub;
    private Watcher watcher;

    /** Told each change of the rows at once. */
    public interface Watcher {
        /** At a row, so many went and so many came. */
        void splice(int row, int removed, int inserted);
    }

    /** A view of which `depth` levels are open where nothing else was said. */
    public View(Tree tree, int flags, int depth) {
        this.tree = tree;
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment options = MemorySegment.allocateNative(16, 8, scope);
            MemorySegment out = MemorySegment.allocateNative(8, 8, scope);
            MemoryAccess.setLongAtOffset(options, 0, 16);
            MemoryAccess.setIntAtOffset(options, 8, flags);
            MemoryAccess.setIntAtOffset(options, 12, depth);
            Native.done("view_create", tree.raw(), options.address(), out.address());
            raw = MemoryAccess.getAddress(out);
        }
    }

    MemoryAddress raw() {
        if (raw == null) throw new CTreeException(10, -1, -1, 0);
        return raw;
    }

    /** Ends it. */
    @Override public void close() {
        MemoryAddress last = raw;
        raw = null;
        if (last != null) Native.v("view_destroy", last);
    }

    /** Show a node's children. */
    public void expand(long node) { Native.done("view_expand", raw(), node); }

    /** Hide them. */
    public void collapse(long node) { Native.done("view_collapse", raw(), node); }

    /** One or the other. */
    public void toggle(long node) { Native.done("view_toggle", raw(), node); }

    /** Expand all above a node. */
    public void reveal(long node) { Native.done("view_reveal", raw(), node); }

    /** Expand a node, or with 0 everything, and so many levels below. */
    public void expandAll(long node, int levels) { expandAll(node, levels, null); }

    /** The same, with somebody who may stop it; null for nobody. */
    public void expandAll(long node, int levels, Progress progress) {
        CTreeException.check(Asked.with(progress, asked -> Native.i("view_expand_all", raw(), node, levels, asked)));
    }

    /** Collapse a node, or with 0 everything, and all below. */
    public void collapseAll(long node) { Native.done("view_collapse_all", raw(), node); }

    /** Whether it is expanded. */
    public boolean isExpanded(long node) { return Native.z("view_is_expanded", raw(), node); }

    /** Whether it is a row. */
    public boolean isVisible(long node) { return Native.z("view_is_visible", raw(), node); }

    /** Whether it can open. */
    public boolean isExpandable(long node) { return Native.z("view_is_expandable", raw(), node); }

    /** How many rows there are. */
    public int rowCount() { return Native.i("view_row_count", raw()); }

    /** The node of a row, or 0. */
    public long nodeAt(int row) { return Native.j("view_node_at", raw(), row); }

    /** The row of a node, or -1. */
    public int rowOf(long node) { return Native.i("view_row_of", raw(), node); }

    interface Filled { void fill(MemoryAddress told, MemoryAddress out); }

    static List<Row> rows(int room, Filled call) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment out = MemorySegment.allocateNative(32L * room + 32, 8, scope);
            MemorySegment told = MemorySegment.allocateNative(4, 4, scope);
            MemoryAccess.setInt(told, room);
            call.fill(told.address(), out.address());
            List<Row> rows = new ArrayList<>();
            for (long at = 0; at < 32L * MemoryAccess.getInt(told); at += 32) {
                rows.add(new Row(MemoryAccess.getLongAtOffset(out, at), MemoryAccess.getIntAtOffset(out, at + 8),
                    MemoryAccess.getIntAtOffset(out, at + 12), MemoryAccess.getIntAtOffset(out, at + 16),
                    State.values()[MemoryAccess.getIntAtOffset(out, at + 20)],
                    MemoryAccess.getByteAtOffset(out, at + 24) != 0, MemoryAccess.getByteAtOffset(out, at + 25) != 0,
                    MemoryAccess.getByteAtOffset(out, at + 26) != 0));
            }
            return rows;
        }
    }

    private int room(int first, int count) {
        int all = rowCount(), left = Integer.compareUnsigned(first, all) < 0 ? all - first : 0;
        return Integer.compareUnsigned(count, left) < 0 ? count : left;
    }

    /** Up to `count` rows from `first` on. */
    public List<Row> window(int first, int count) {
        return rows(room(first, count), (told, out) -> Native.done("view_window", raw(), first, told, out));
    }

    /** Nodes and depths of a window, without the rest. */
    public record Nodes(long[] nodes, int[] depths) {}

    /** The nodes of up to `count` rows from `first` on, and their depths. */
    public Nodes nodesFrom(int first, int count) {
        int room = room(first, count);
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment nodes = MemorySegment.allocateNative(8L * room + 8, 8, scope);
            MemorySegment depths = MemorySegment.allocateNative(4L * room + 8, 8, scope);
            MemorySegment told = MemorySegment.allocateNative(4, 4, scope);
            MemoryAccess.setInt(told, room);
            Native.done("view_nodes_from", raw(), first, told.address(), nodes.address(), depths.address());
            long got = MemoryAccess.getInt(told);
            return new Nodes(nodes.asSlice(0, 8 * got).toLongArray(), depths.asSlice(0, 4 * got).toIntArray());
        }
    }

    /** The nodes of many rows, 0 where there is none. */
    public long[] nodesAt(int[] rows) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            SegmentAllocator room = SegmentAllocator.arenaAllocator(scope);
            MemorySegment out = room.allocate(8L * rows.length + 8, 8);
            Native.done("view_nodes_at", raw(), Native.ints(rows, room).address(), (long) rows.length, out.address());
            return out.asSlice(0, 8L * rows.length).toLongArray();
        }
    }

    /** The rows of many nodes, -1 where there is none. */
    public int[] rowsOf(long[] nodes) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            SegmentAllocator room = SegmentAllocator.arenaAllocator(scope);
            MemorySegment out = room.allocate(4L * nodes.length + 8, 8);
            Native.done("view_rows_of", raw(), Native.longs(nodes, room).address(), (long) nodes.length, out.address());
            return out.asSlice(0, 4L * nodes.length).toIntArray();
        }
    }

    /** The ancestors of a node from the topmost down. */
    public long[] ancestors(long node) {
        int room = tree.depth(node);
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment out = MemorySegment.allocateNative(8L * room + 8, 8, scope);
            MemorySegment told = MemorySegment.allocateNative(4, 4, scope);
            MemoryAccess.setInt(told, room);
            Native.done("view_ancestors", raw(), node, told.address(), out.address());
            return out.asSlice(0, 8L * MemoryAccess.getInt(told)).toLongArray();
        }
    }

    /** Whether it is a view of that tree. */
    public boolean isOf(Tree other) { return Native.p("view_store", raw()).equals(other.raw()); }

    /** How many sections there are. */
    public int sectionCount() { return Native.i("view_section_count", raw()); }

    /** The node of a section, or 0. */
    public long sectionNode(int section) { return Native.j("view_section_node", raw(), section); }

    /** How many rows a section has. */
    public int sectionRows(int section) { return Native.i("view_section_rows", raw(), section); }

    /** Section and row of a row. */
    public int[] indexPath(int row) { return Native.ints(2, out -> Native.done("view_index_path", raw(), row, out)); }

    /** The row of a section and a row in it, or -1. */
    public int rowAt(int section, int row) {
        return Native.withPath(section, row, path -> Native.i("view_row_at_index_path", raw(), path));
    }

    /** The rows as they are now, as a value of its own; `lookup` keeps the way back from nodes. */
    public Rows flatten(boolean lookup, Progress progress) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment out = MemorySegment.allocateNative(8, 8, scope);
            CTreeException.check(
                Asked.with(progress, asked -> Native.i("rows_flatten", raw(), lookup ? 1 : 0, asked, out.address())));
            return new Rows(MemoryAccess.getAddress(out));
        }
    }

    /** Bytes held. */
    public long memory() { return Native.j("view_memory", raw()); }

    /** Gives back what is kept for rows that are hidden. */
    public void trim() { Native.done("view_trim", raw()); }

    /** Packs rows as tight as when they were built. */
    public void compact() { Native.done("view_compact", raw()); }

    /** Select rows, or deselect them. */
    public void selectRows(int first, int count, boolean selected) {
        Native.done("view_select_rows", raw(), first, count, selected);
    }

    /** The selected nodes: those that are rows in their order, then the others. */
    public long[] selected() {
        int room = (int) selectedCount();
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment out = MemorySegment.allocateNative(8L * room + 8, 8, scope);
            MemorySegment told = MemorySegment.allocateNative(8, 8, scope);
            MemoryAccess.setLong(told, room);
            Native.done("view_selected", raw(), told.address(), out.address());
            return out.asSlice(0, 8L * room).toLongArray();
        }
    }

    private record Telling(Tree tree, List<Saved> entries) {
        byte tell(MemoryAddress context, MemoryAddress entry) {
            return Native.guarded((byte) 0, () -> {
                MemorySegment at = Native.at(entry, 16);
                int length = MemoryAccess.getIntAtOffset(at, 8);
                MemorySegment path = Native.at(MemoryAccess.getAddressAtOffset(at, 0), 16L * length);
                List<Object> ids = new ArrayList<>();
                for (int k = 0; k < length; k++) ids.add(Native.idAt(path, 16L * k));
                entries.add(new Saved(ids, MemoryAccess.getIntAtOffset(at, 12)));
                return (byte) 1;
            });
        }
    }

    /** What is expanded, collapsed or selected, by identifiers. */
    public List<Saved> save(int what) {
        Telling telling = new Telling(tree, new ArrayList<>());
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemoryAddress tell =
                Native.stub(telling, "tell", scope, byte.class, MemoryAddress.class, MemoryAddress.class);
            Native.done("view_save", raw(), what, tell, Native.NULL);
        }
        return telling.entries;
    }

    /** Gives entries back; those of nodes that are yet to come wait for them. */
    public void restore(List<Saved> entries) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            SegmentAllocator room = SegmentAllocator.arenaAllocator(scope);
            MemorySegment out = room.allocate(16L * entries.size() + 16, 8);
            for (int k = 0; k < entries.size(); k++) {
                List<Object> path = entries.get(k).path();
                MemoryAccess.setAddressAtOffset(out, 16L * k, Native.ids(path, path.size(), room).address());
                MemoryAccess.setIntAtOffset(out, 16L * k + 8, path.size());
                MemoryAccess.setIntAtOffset(out, 16L * k + 12, entries.get(k).what());
            }
            Native.done("view_restore", raw(), out.address(), (long) entries.size());
        }
    }

    /** For how many nodes something waits. */
    public long waitingCount() { return Native.j("view_waiting_count", raw()); }

    /** Gives up all that waits. */
    public void forgetWaiting() { Native.done("view_forget_waiting", raw()); }

    /** How far a reveal has come: whether the node is visible, and it, or its nearest ancestor. */
    public record Revealed(boolean visible, long node) {}

    /** Reveals a node by the identifiers from the top down to it, through levels that are yet to load. */
    public Revealed revealPath(List<Object> path) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            SegmentAllocator room = SegmentAllocator.arenaAllocator(scope);
            MemorySegment out = room.allocate(8, 8);
            int status = Native.i("view_reveal_path", raw(), Native.ids(path, path.size(), room).address(), path.size(),
                out.address());
            if (status != 14) CTreeException.check(status);
            return new Revealed(status == 0, MemoryAccess.getLong(out));
        }
    }

    /** As commit, of a view with sections. */
    public SectionChanges commitSections(long limit) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment out = MemorySegment.allocateNative(8, 8, scope);
            Native.done("view_commit_sections", raw(), limit, out.address());
            return SectionChanges.read(MemoryAccess.getAddress(out));
        }
    }

    /** Select a node, or deselect it. */
    public void select(long node, boolean selected) { Native.done("view_select", raw(), node, selected); }

    /** Whether it is selected. */
    public boolean isSelected(long node) { return Native.z("view_is_selected", raw(), node); }

    /** How many are selected. */
    public long selectedCount() { return Native.j("view_selected_count", raw()); }

    /** Deselect all. */
    public void deselectAll() { Native.done("view_deselect_all", raw()); }

    /** All change since the last accepted batch; beyond `limit` ranges, where it is not 0, it says reload. */
    public Changes commit(long limit) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment out = MemorySegment.allocateNative(8, 8, scope);
            Native.done("view_commit", raw(), limit, out.address());
            return Changes.read(MemoryAccess.getAddress(out));
        }
    }

    /** The last batch has been shown. */
    public void accept() { Native.done("view_accept", raw()); }

    /** Checks every invariant. */
    public void validate() { Native.reasoned(reason -> Native.i("view_validate", raw(), reason)); }

    void splice(MemoryAddress context, MemoryAddress view, MemoryAddress splice) {
        int[] told = Native.at(splice, 12).toIntArray();
        Native.guarded(null, () -> {
            if (watcher != null) watcher.splice(told[0], told[1], told[2]);
            return null;
        });
    }

    /** Set who is told the splices; null: nobody. */
    public void watch(Watcher watcher) {
        Class<?> p = MemoryAddress.class;
        // The tree keeps it: a view that was never closed is still told, also when nobody can reach it.
        if (stub == null) stub = Native.stub(this, "splice", tree.stubs, void.class, p, p, p);
        Native.done("view_watch", raw(), watcher == null ? Native.NULL : stub, Native.NULL);
        this.watcher = watcher;
    }
}
