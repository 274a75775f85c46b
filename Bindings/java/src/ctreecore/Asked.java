package ctreecore;

import java.util.function.Function;
import jdk.incubator.foreign.*;

/** A ctree_progress for one call. */
final class Asked {
    private final Progress progress;

    private Asked(Progress progress) { this.progress = progress; }

    byte ask(MemoryAddress context, long done, long total) {
        return Native.guarded((byte) 0, () -> (byte) (progress.keepGoing(done, total) ? 1 : 0));
    }

    /** Calls with its address, or with none where nobody asks. */
    static <T> T with(Progress progress, Function<MemoryAddress, T> body) {
        if (progress == null) return body.apply(Native.NULL);
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment c = MemorySegment.allocateNative(16, 8, scope);
            MemoryAccess.setAddressAtOffset(c, 8,
                Native.stub(new Asked(progress), "ask", scope, byte.class, MemoryAddress.class, long.class, long.class));
            return body.apply(c.address());
        }
    }
}
