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

    private MemoryAddress raw() {
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
    public void expandAll(long node, int levels) { Native.done("view_expand_all", raw(), node, levels, Native.NULL); }

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

    /** Up to `count` rows from `first` on. */
    public List<Row> window(int first, int count) {
        int room = Math.max(0, Math.min(count, rowCount() - first));
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment out = MemorySegment.allocateNative(32L * room + 32, 8, scope);
            MemorySegment told = MemorySegment.allocateNative(4, 4, scope);
            MemoryAccess.setInt(told, room);
            Native.done("view_window", raw(), first, told.address(), out.address());
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
    public void validate() { Native.done("view_validate", raw(), Native.NULL); }

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
