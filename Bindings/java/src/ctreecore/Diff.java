package ctreecore;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import jdk.incubator.foreign.*;

/** The change between two lists of rows; it needs no tree. */
public final class Diff {
    /** What names a row. */
    public enum Keys { NODES, U64, IDS }

    /** A list: keys are Longs, or with IDS bytes or Strings; revisions are empty where nothing is said of looks. */
    public static final class Side {
        /** Keys of the rows and of the sections. */
        public final List<Object> rows = new ArrayList<>(), sections = new ArrayList<>();
        /** One number for each, or none at all. */
        public final List<Long> revisions = new ArrayList<>(), sectionRevisions = new ArrayList<>();
        /** How many rows each section has. */
        public final List<Integer> sectionRows = new ArrayList<>();

        private static MemoryAddress keys(List<Object> keys, Keys kind, SegmentAllocator room) {
            if (keys.isEmpty()) return Native.NULL;
            if (kind == Keys.IDS) return Native.ids(keys, keys.size(), room).address();
            return Native.longs(keys.stream().mapToLong(key -> (Long) key).toArray(), room).address();
        }

        private static MemoryAddress numbers(List<Long> numbers, SegmentAllocator room) {
            if (numbers.isEmpty()) return Native.NULL;
            return Native.longs(numbers.stream().mapToLong(number -> number).toArray(), room).address();
        }

        private MemoryAddress write(Keys kind, SegmentAllocator room) {
            MemorySegment out = room.allocate(48, 8);
            MemoryAccess.setAddressAtOffset(out, 0, keys(rows, kind, room));
            MemoryAccess.setAddressAtOffset(out, 8, numbers(revisions, room));
            MemoryAccess.setAddressAtOffset(out, 16, keys(sections, kind, room));
            MemoryAccess.setAddressAtOffset(out, 24,
                Native.ints(sectionRows.stream().mapToInt(count -> count).toArray(), room).address());
            MemoryAccess.setAddressAtOffset(out, 32, numbers(sectionRevisions, room));
            MemoryAccess.setIntAtOffset(out, 40, rows.size());
            MemoryAccess.setIntAtOffset(out, 44, sections.size());
            return out.address();
        }
    }

    /** A key stands twice in one list. */
    public static final class DuplicateException extends RuntimeException {
        /** In which list, and where. */
        public final boolean inNew, inSections;
        /** The places. */
        public final int first, second;

        DuplicateException(int[] told) {
            super("duplicate");
            inNew = told[0] != 0;
            inSections = told[1] != 0;
            first = told[2];
            second = told[3];
        }
    }

    /** Splices as {row, removed, inserted}, or steps as {kind, from, to, count}, kinds 0 delete, 1 move, 2 insert. */
    public record Steps(boolean reload, int oldCount, int newCount, List<int[]> steps) {
        private static Steps read(MemoryAddress address, int width) {
            MemorySegment at = Native.at(address, 24);
            return new Steps(MemoryAccess.getIntAtOffset(at, 0) != 0, MemoryAccess.getIntAtOffset(at, 4),
                MemoryAccess.getIntAtOffset(at, 8), Native.records(MemoryAccess.getAddressAtOffset(at, 16),
                    MemoryAccess.getIntAtOffset(at, 12), width));
        }
    }

    private Diff() {}

    private static <T> T make(Side before, Side after, Keys keys, int form, String getter, long limit, Progress progress,
        BiFunction<MemoryAddress, MemoryAddress, T> read) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            SegmentAllocator room = SegmentAllocator.arenaAllocator(scope);
            MemorySegment options = room.allocate(56, 8), twice = room.allocate(16, 8), out = room.allocate(8, 8);
            int status = Asked.with(progress, asked -> {
                MemoryAccess.setLongAtOffset(options, 0, 56);
                MemoryAccess.setIntAtOffset(options, 8, keys.ordinal());
                MemoryAccess.setIntAtOffset(options, 12, form);
                MemoryAccess.setLongAtOffset(options, 16, limit);
                MemoryAccess.setAddressAtOffset(options, 24, asked);
                MemoryAddress old = before == null ? Native.NULL : before.write(keys, room);
                return Native.i("diff_create", old, after.write(keys, room), options.address(), twice.address(),
                    out.address());
            });
            if (status == 5) throw new DuplicateException(twice.toIntArray());
            CTreeException.check(status);
            MemoryAddress diff = MemoryAccess.getAddress(out);
            try {
                return read.apply(diff, Native.p(getter, diff));
            } finally {
                Native.v("diff_destroy", diff);
            }
        }
    }

    /** As a batch; a null `before`: nothing was shown. */
    public static Changes batch(Side before, Side after, Keys keys, long limit, Progress progress) {
        return make(before, after, keys, 1, "diff_batch", limit, progress, (diff, told) -> Changes.read(told));
    }

    /** As a batch with sections. */
    public static SectionChanges sections(Side before, Side after, Keys keys, long limit, Progress progress) {
        return make(before, after, keys, 2, "diff_section_batch", limit, progress, (diff, told) -> SectionChanges.read(told));
    }

    /** As splices. */
    public static Steps splices(Side before, Side after, Keys keys, long limit, Progress progress) {
        return make(before, after, keys, 4, "diff_splices", limit, progress, (diff, told) -> Steps.read(told, 3));
    }

    /** As steps. */
    public static Steps steps(Side before, Side after, Keys keys, long limit, Progress progress) {
        return make(before, after, keys, 8, "diff_steps", limit, progress, (diff, told) -> Steps.read(told, 4));
    }
}
