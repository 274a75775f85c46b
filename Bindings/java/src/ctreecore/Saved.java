package ctreecore;

import java.util.List;

/** What is kept of one node of a view, by the identifiers of its path. */
public record Saved(List<Object> path, int what) {
    /** Bits of `what`. */
    public static final int EXPANDED = 1, COLLAPSED = 2, SELECTED = 4, ALL = 7;
}
