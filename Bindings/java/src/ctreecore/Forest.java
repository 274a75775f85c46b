package ctreecore;

import java.util.ArrayList;
import java.util.List;
import jdk.incubator.foreign.*;

/** Items handed in at once. */
public final class Forest {
    /** Means that an item has no parent here; as a position: behind the last. */
    public static final int NONE = -1;
    private final List<Object> ids = new ArrayList<>();
    private final List<Integer> parents = new ArrayList<>();
    private final List<Long> values = new ArrayList<>(), revisions = new ArrayList<>();
    private final List<State> states = new ArrayList<>();

    /** Adds an item: its parent is the place of another, or NONE; a null state follows from its children. */
    public Forest add(int parent, Object id, long value, long revision, State state) {
        parents.add(parent);
        ids.add(id);
        values.add(value);
        revisions.add(revision);
        states.add(state);
        return this;
    }

    /** Adds a top item. */
    public Forest add(Object id, State state) { return add(NONE, id, 0, 0, state); }

    /** How many items there are. */
    public int size() { return ids.size(); }

    MemorySegment lend(SegmentAllocator room) {
        MemorySegment out = room.allocate(80, 8);
        int n = size();
        boolean said = states.stream().anyMatch(state -> state != null);
        MemorySegment bytes = room.allocate(n + 1L);
        for (int k = 0; said && k < n; k++) {
            State state = states.get(k);
            if (state == null) state = parents.contains(k) ? State.LOADED : State.LEAF;
            MemoryAccess.setByteAtOffset(bytes, k, (byte) state.ordinal());
        }
        MemoryAccess.setLongAtOffset(out, 0, 80);
        MemoryAccess.setLongAtOffset(out, 8, n);
        MemoryAccess.setAddressAtOffset(out, 16, Native.ids(ids, n, room).address());
        MemoryAccess.setAddressAtOffset(out, 48, Native.ints(parents.stream().mapToInt(p -> p).toArray(), room).address());
        MemoryAccess.setAddressAtOffset(out, 56, Native.longs(values.stream().mapToLong(v -> v).toArray(), room).address());
        MemoryAccess.setAddressAtOffset(out, 64, Native.longs(revisions.stream().mapToLong(v -> v).toArray(), room).address());
        if (said) MemoryAccess.setAddressAtOffset(out, 72, bytes.address());
        return out;
    }
}
