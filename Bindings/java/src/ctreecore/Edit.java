package ctreecore;

import jdk.incubator.foreign.*;

/** One edit of a tree, as a listener is told of it; nodes are as ctree_edit has them. */
public record Edit(Kind kind, int changed, long node, long parent, long toParent, int first, int count, int toFirst) {
    /** What happens. */
    public enum Kind { INSERT, REMOVE, MOVE, CHANGE }

    /** Bits of `changed`. */
    public static final int VALUE = 1, REVISION = 2, LOAD_STATE = 4;

    static Edit read(MemoryAddress address) {
        MemorySegment at = Native.at(address, 48);
        return new Edit(Kind.values()[MemoryAccess.getIntAtOffset(at, 0) - 1], MemoryAccess.getIntAtOffset(at, 4),
            MemoryAccess.getLongAtOffset(at, 8), MemoryAccess.getLongAtOffset(at, 16), MemoryAccess.getLongAtOffset(at, 24),
            MemoryAccess.getIntAtOffset(at, 32), MemoryAccess.getIntAtOffset(at, 36), MemoryAccess.getIntAtOffset(at, 40));
    }
}
