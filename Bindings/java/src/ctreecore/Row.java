package ctreecore;

/** A row, as a table shows it. */
public record Row(long node, int depth, int position, int siblings, State state, boolean expandable, boolean expanded,
    boolean more) {}
