package ctreecore;

import java.util.ArrayList;
import java.util.List;
import jdk.incubator.foreign.*;

/** All change between two states of the rows. Deletes and where moves begin count in old numbers, the rest in new. */
public record Changes(boolean reload, int oldCount, int newCount, List<Change> changes) {
    /** What happened. */
    public enum Kind { DELETE, INSERT, MOVE, CHANGE }

    /** Rows: first and count of a delete or insert; from, to and count of a move or change. */
    public record Change(Kind kind, List<Integer> numbers) {}

    static Changes read(MemoryAddress address) {
        MemorySegment b = Native.at(address, 64);
        List<Change> changes = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            int k = kind.ordinal(), width = k < 2 ? 2 : 3, count = MemoryAccess.getIntAtOffset(b, 12 + 4L * k);
            if (count == 0) continue;
            MemorySegment all = Native.at(MemoryAccess.getAddressAtOffset(b, 32 + 8L * k), 4L * width * count);
            for (int at = 0; at < count; at++) {
                List<Integer> numbers = new ArrayList<>();
                for (int w = 0; w < width; w++) numbers.add(MemoryAccess.getIntAtIndex(all, (long) at * width + w));
                changes.add(new Change(kind, numbers));
            }
        }
        return new Changes(MemoryAccess.getIntAtOffset(b, 0) != 0, MemoryAccess.getIntAtOffset(b, 4),
            MemoryAccess.getIntAtOffset(b, 8), changes);
    }
}
