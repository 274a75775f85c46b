package ctreecore;

/** What a tree keeps of a node. */
public record Info(long parent, Object id, long value, long revision, State state, int childCount, boolean more) {}
