package ctreecore;

import java.util.List;
import jdk.incubator.foreign.*;

/** The rows of a view at one moment; later edits do not touch them. */
public final class Rows implements AutoCloseable {
    private MemoryAddress raw;

    Rows(MemoryAddress raw) { this.raw = raw; }

    private MemoryAddress raw() {
        if (raw == null) throw new CTreeException(10, -1, -1, 0);
        return raw;
    }

    /** Frees them. */
    @Override public void close() {
        if (raw != null) Native.v("rows_destroy", raw);
        raw = null;
    }

    /** How many rows there are. */
    public int count() { return Native.i("rows_count", raw()); }

    /** Their nodes. */
    public long[] nodes() {
        int count = count();
        return count == 0 ? new long[0] : Native.at(Native.p("rows_nodes", raw()), 8L * count).toLongArray();
    }

    /** Their depths. */
    public int[] depths() {
        int count = count();
        return count == 0 ? new int[0] : Native.at(Native.p("rows_depths", raw()), 4L * count).toIntArray();
    }

    /** How many sections there are. */
    public int sectionCount() { return Native.i("rows_section_count", raw()); }

    /** The node of a section. */
    public long sectionNode(int section) { return Native.j("rows_section_node", raw(), section); }

    /** The first row of a section. */
    public int sectionStart(int section) { return Native.i("rows_section_start", raw(), section); }

    /** The node of a row, or 0. */
    public long nodeAt(int row) { return Native.j("rows_node", raw(), row); }

    /** The row of a node, or -1. */
    public int rowOf(long node) { return Native.i("rows_row", raw(), node); }

    /** Section and row of a row. */
    public int[] indexPath(int row) {
        return Native.ints(2, out -> Native.done("rows_index_path", raw(), row, out));
    }

    /** The row of a section and a row in it, or -1. */
    public int rowAt(int section, int row) {
        return Native.withPath(section, row, path -> Native.i("rows_at_index_path", raw(), path));
    }

    /** Up to `count` of them, described as their nodes are now. */
    public List<Row> window(View view, int first, int count) {
        int room = Math.max(0, Math.min(count, count() - first));
        return View.rows(room, (told, out) -> Native.done("rows_window", raw(), view.raw(), first, told, out));
    }
}
