package ctreecore;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import jdk.incubator.foreign.*;

/** Calls into the C library: how an argument is passed follows from its Java type, once for each function. */
final class Native {
    static final MemoryAddress NULL = MemoryAddress.NULL;
    static final MemoryLayout ID = MemoryLayout.structLayout(CLinker.C_POINTER, CLinker.C_LONG_LONG);
    static final MemoryLayout INDEX_PATH = MemoryLayout.structLayout(CLinker.C_INT, CLinker.C_INT);
    private static final ConcurrentHashMap<String, MethodHandle> HANDLES = new ConcurrentHashMap<>();
    private static final ThreadLocal<Throwable> THROWN = new ThreadLocal<>();
    private static final ThreadLocal<int[]> DEPTH = ThreadLocal.withInitial(() -> new int[1]);

    static {
        System.load(System.getProperty("ctreecore.library"));
    }

    private Native() {}

    static int i(String name, Object... args) { return (int) call(name, int.class, CLinker.C_INT, args); }

    static long j(String name, Object... args) { return (long) call(name, long.class, CLinker.C_LONG_LONG, args); }

    static boolean z(String name, Object... args) { return (byte) call(name, byte.class, CLinker.C_CHAR, args) != 0; }

    static MemoryAddress p(String name, Object... args) {
        return (MemoryAddress) call(name, MemoryAddress.class, CLinker.C_POINTER, args);
    }

    static void v(String name, Object... args) { call(name, void.class, null, args); }

    static void done(String name, Object... args) { CTreeException.check(i(name, args)); }

    private static Object call(String name, Class<?> type, MemoryLayout layout, Object[] args) {
        for (int k = 0; k < args.length; k++) {
            if (args[k] instanceof Boolean flag) args[k] = (byte) (flag ? 1 : 0);
        }
        Object result;
        try {
            result = HANDLES.computeIfAbsent(name, n -> find(n, type, layout, args)).invokeExact(args);
        } catch (Throwable broken) {
            throw new AssertionError(name, broken);
        }
        Throwable thrown = THROWN.get();
        if (thrown != null && DEPTH.get()[0] == 0) {
            THROWN.remove();
            Native.<RuntimeException>rethrow(thrown);
        }
        return result;
    }

    private static MethodHandle find(String name, Class<?> type, MemoryLayout layout, Object[] args) {
        Class<?>[] types = new Class<?>[args.length];
        MemoryLayout[] layouts = new MemoryLayout[args.length];
        for (int k = 0; k < args.length; k++) {
            if (args[k] instanceof Long) { types[k] = long.class; layouts[k] = CLinker.C_LONG_LONG; }
            else if (args[k] instanceof Integer) { types[k] = int.class; layouts[k] = CLinker.C_INT; }
            else if (args[k] instanceof Byte) { types[k] = byte.class; layouts[k] = CLinker.C_CHAR; }
            else if (args[k] instanceof MemoryAddress) { types[k] = MemoryAddress.class; layouts[k] = CLinker.C_POINTER; }
            else { types[k] = MemorySegment.class; layouts[k] = ((MemorySegment) args[k]).byteSize() == 16 ? ID : INDEX_PATH; }
        }
        MemoryAddress symbol = SymbolLookup.loaderLookup().lookup("ctree_" + name).orElseThrow();
        FunctionDescriptor shape =
            layout == null ? FunctionDescriptor.ofVoid(layouts) : FunctionDescriptor.of(layout, layouts);
        MethodHandle handle = CLinker.getInstance().downcallHandle(symbol, MethodType.methodType(type, types), shape);
        return handle.asSpreader(Object[].class, args.length).asType(MethodType.methodType(Object.class, Object[].class));
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void rethrow(Throwable thrown) throws T { throw (T) thrown; }

    /** Runs a callback that C has called. No exception crosses C: the first is kept for the outermost call. */
    static <T> T guarded(T fallback, Supplier<T> body) {
        DEPTH.get()[0]++;
        try {
            return body.get();
        } catch (Throwable thrown) {
            if (THROWN.get() == null) THROWN.set(thrown);
            return fallback;
        } finally {
            DEPTH.get()[0]--;
        }
    }

    /** A C function that calls a method of an object; it lives as long as its segment is reachable. */
    static MemoryAddress stub(Object target, String method, ResourceScope scope, Class<?> result, Class<?>... args) {
        try {
            MethodType type = MethodType.methodType(result, args);
            MethodHandle handle = MethodHandles.lookup().findVirtual(target.getClass(), method, type).bindTo(target);
            MemoryLayout[] layouts = new MemoryLayout[args.length];
            for (int k = 0; k < args.length; k++) layouts[k] = args[k] == long.class ? CLinker.C_LONG_LONG : CLinker.C_POINTER;
            FunctionDescriptor shape = result == void.class
                ? FunctionDescriptor.ofVoid(layouts) : FunctionDescriptor.of(CLinker.C_CHAR, layouts);
            return CLinker.getInstance().upcallStub(handle, shape, scope);
        } catch (ReflectiveOperationException broken) {
            throw new AssertionError(broken);
        }
    }

    /** Calls with room for so many numbers, which come back. */
    static int[] ints(int count, java.util.function.Consumer<MemoryAddress> body) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment out = MemorySegment.allocateNative(4L * count, 8, scope);
            body.accept(out.address());
            return out.toIntArray();
        }
    }

    static long[] longs(int count, java.util.function.Consumer<MemoryAddress> body) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment out = MemorySegment.allocateNative(8L * count, 8, scope);
            body.accept(out.address());
            return out.toLongArray();
        }
    }

    /** Calls with a ctree_index_path. */
    static <T> T withPath(int section, int row, java.util.function.Function<MemorySegment, T> body) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment path = MemorySegment.allocateNative(INDEX_PATH, scope);
            MemoryAccess.setIntAtOffset(path, 0, section);
            MemoryAccess.setIntAtOffset(path, 4, row);
            return body.apply(path);
        }
    }

    /** Records of so many numbers each. */
    static java.util.List<int[]> records(MemoryAddress from, int count, int width) {
        java.util.List<int[]> found = new java.util.ArrayList<>();
        int[] all = count == 0 ? new int[0] : at(from, 4L * width * count).toIntArray();
        for (int k = 0; k < count; k++) found.add(java.util.Arrays.copyOfRange(all, k * width, (k + 1) * width));
        return found;
    }

    /** The reason why an invariant does not hold, if one does not. */
    static void reasoned(java.util.function.ToIntFunction<MemoryAddress> body) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment out = MemorySegment.allocateNative(8, 8, scope);
            int status = body.applyAsInt(out.address());
            if (status == 15) throw new AssertionError(CLinker.toJavaString(MemoryAccess.getAddress(out)));
            CTreeException.check(status);
        }
    }

    static MemorySegment at(MemoryAddress address, long size) {
        return address.asSegment(size, ResourceScope.globalScope());
    }

    static MemorySegment id(Object id, SegmentAllocator room) {
        MemorySegment out = room.allocate(ID);
        if (id instanceof Number number) {
            MemoryAccess.setLongAtOffset(out, 8, number.longValue());
            return out;
        }
        byte[] bytes = id instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : (byte[]) id;
        MemorySegment copy = room.allocate(bytes.length + 1L);
        copy.asSlice(0, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
        MemoryAccess.setAddressAtOffset(out, 0, copy.address());
        MemoryAccess.setLongAtOffset(out, 8, bytes.length);
        return out;
    }

    static MemorySegment ids(Iterable<?> all, int count, SegmentAllocator room) {
        MemorySegment out = room.allocate(16L * count + 16, 8);
        int k = 0;
        for (Object each : all) out.asSlice(16L * k++, 16).copyFrom(id(each, room));
        return out;
    }

    static Object idAt(MemorySegment from, long offset) {
        MemoryAddress bytes = MemoryAccess.getAddressAtOffset(from, offset);
        long word = MemoryAccess.getLongAtOffset(from, offset + 8);
        if (bytes.equals(NULL)) return word;
        return word == 0 ? new byte[0] : at(bytes, word).toByteArray();
    }

    static MemorySegment longs(long[] all, SegmentAllocator room) {
        MemorySegment out = room.allocate(8L * all.length + 8, 8);
        out.asSlice(0, 8L * all.length).copyFrom(MemorySegment.ofArray(all));
        return out;
    }

    static MemorySegment ints(int[] all, SegmentAllocator room) {
        MemorySegment out = room.allocate(4L * all.length + 8, 8);
        out.asSlice(0, 4L * all.length).copyFrom(MemorySegment.ofArray(all));
        return out;
    }
}
