package ctreecore;

/** A call failed; it has changed nothing. */
public final class CTreeException extends RuntimeException {
    private static final String[] WORDS = {"ok", "no-memory", "invalid", "stale", "range", "duplicate", "limit", "leaf",
        "cycle", "busy", "closed", "cancelled", "superseded", "not-found", "loading", "corrupt"};
    /** The status of the C interface. */
    public final int status;
    /** The items at fault, -1 for none, and the node in the way, 0 for none. */
    public final long item, otherItem, node;

    CTreeException(int status, long item, long otherItem, long node) {
        super(WORDS[status]);
        this.status = status;
        this.item = item;
        this.otherItem = otherItem;
        this.node = node;
    }

    static void check(int status) {
        if (status != 0) throw new CTreeException(status, -1, -1, 0);
    }
}
