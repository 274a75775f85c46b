package ctreecore;

import java.util.ArrayList;
import java.util.List;
import jdk.incubator.foreign.*;

/** All change of rows in sections: ranges as {section, first, count}, runs as {section, from, section, to, count}; of
 *  sections {first, count} and {from, to, count}. */
public record SectionChanges(boolean reload, int oldSectionCount, int newSectionCount, int oldCount, int newCount,
    List<int[]> sectionDeletes, List<int[]> sectionInserts, List<int[]> sectionMoves, List<int[]> sectionChanges,
    List<int[]> deletes, List<int[]> inserts, List<int[]> moves, List<int[]> changes) {

    static SectionChanges read(MemoryAddress address) {
        MemorySegment at = Native.at(address, 120);
        int[] numbers = new int[13];
        for (int k = 0; k < 13; k++) numbers[k] = MemoryAccess.getIntAtOffset(at, 4L * k);
        int[] widths = {2, 2, 3, 3, 3, 3, 5, 5};
        List<List<int[]>> lists = new ArrayList<>();
        for (int k = 0; k < 8; k++) {
            lists.add(Native.records(MemoryAccess.getAddressAtOffset(at, 56 + 8L * k), numbers[5 + k], widths[k]));
        }
        return new SectionChanges(numbers[0] != 0, numbers[1], numbers[2], numbers[3], numbers[4], lists.get(0), lists.get(1),
            lists.get(2), lists.get(3), lists.get(4), lists.get(5), lists.get(6), lists.get(7));
    }
}
