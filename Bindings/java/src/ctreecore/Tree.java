package ctreecore;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import jdk.incubator.foreign.*;

/**
 * The nodes. A node is a long, 0 names none; an identifier is a Long, or bytes or a String, as the tree was made. One
 * thread at a time uses a tree and its views. What a callback throws comes out of the call that led to it.
 */
public final class Tree implements AutoCloseable {
    /** As a position: behind the last. */
    public static final int END = -1;
    private MemoryAddress raw;
    final ResourceScope stubs = ResourceScope.newImplicitScope();
    private final LongConsumer released;
    private final Map<Long, Object> listeners = new HashMap<>();
    final boolean bytes;

    /** One load of one node; its result is handed in with it. */
    public record Load(long node, long ticket, boolean already) {}

    /** What a listener is told; the tree may be edited in `settled` only. */
    public interface Listener {
        /** An edit is about to happen. */
        default void before(Edit edit) {}
        /** It has happened. */
        default void after(Edit edit) {}
        /** The outermost call is over. */
        default void settled() {}
    }

    /** An empty tree; `released`, which may be null, is told each value that was replaced or removed. */
    public Tree(boolean bytes, boolean siblings, long limit, LongConsumer released) {
        this.bytes = bytes;
        this.released = released;
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            SegmentAllocator room = SegmentAllocator.arenaAllocator(scope);
            MemorySegment options = room.allocate(64, 8), out = room.allocate(8, 8);
            MemoryAccess.setLongAtOffset(options, 0, 64);
            MemoryAccess.setIntAtOffset(options, 16, bytes ? 1 : 0);
            MemoryAccess.setIntAtOffset(options, 20, siblings ? 1 : 0);
            MemoryAccess.setLongAtOffset(options, 24, limit);
            if (released != null) {
                MemoryAccess.setAddressAtOffset(options, 48, Native.stub(this, "release", stubs, void.class,
                    MemoryAddress.class, MemoryAddress.class, MemoryAddress.class, long.class));
            }
            Native.done("store_create", options.address(), out.address());
            raw = MemoryAccess.getAddress(out);
        }
    }

    void release(MemoryAddress context, MemoryAddress nodes, MemoryAddress values, long count) {
        Native.guarded(null, () -> {
            for (long value : Native.at(values, 8 * count).toLongArray()) released.accept(value);
            return null;
        });
    }

    MemoryAddress raw() {
        if (raw == null) throw new CTreeException(10, -1, -1, 0);
        return raw;
    }

    /** Frees all nodes; later calls here and on views fail. */
    @Override public void close() {
        MemoryAddress last = raw;
        raw = null;
        if (last != null) Native.v("store_destroy", last);
    }

    /** How many nodes there are. */
    public long count() { return Native.j("store_count", raw()); }

    /** Whether identifiers are bytes. */
    public boolean hasBytes() { return Native.i("store_id_kind", raw()) == 1; }

    /** Whether identifiers are unique among siblings only. */
    public boolean hasSiblings() { return Native.i("store_id_scope", raw()) == 1; }

    /** Bytes held. */
    public long memory() {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment out = MemorySegment.allocateNative(56, 8, scope);
            MemoryAccess.setLongAtOffset(out, 0, 56);
            Native.done("store_memory", raw(), out.address());
            return MemoryAccess.getLongAtOffset(out, 8);
        }
    }

    /** Many nodes at once; `parents`, where identifiers are unique among siblings, else null. */
    public long[] findMany(List<Object> ids, long[] parents) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            SegmentAllocator room = SegmentAllocator.arenaAllocator(scope);
            MemorySegment out = room.allocate(8L * ids.size() + 8, 8);
            MemoryAddress above = parents == null ? Native.NULL : Native.longs(parents, room).address();
            if (bytes) {
                MemorySegment given = Native.ids(ids, ids.size(), room);
                Native.done("store_find_many", raw(), above, given.address(), (long) ids.size(), out.address());
            } else {
                long[] numbers = ids.stream().mapToLong(id -> (Long) id).toArray();
                Native.done("store_find_many_u64", raw(), above, Native.longs(numbers, room).address(), (long) ids.size(),
                    out.address());
            }
            return out.asSlice(0, 8L * ids.size()).toLongArray();
        }
    }

    /** All that is kept of a node. */
    public Info info(long node) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment out = MemorySegment.allocateNative(64, 8, scope);
            MemoryAccess.setLongAtOffset(out, 0, 64);
            Native.done("store_info", raw(), node, out.address());
            return new Info(MemoryAccess.getLongAtOffset(out, 8), Native.idAt(out, 32), MemoryAccess.getLongAtOffset(out, 16),
                MemoryAccess.getLongAtOffset(out, 24), State.values()[MemoryAccess.getIntAtOffset(out, 52)],
                MemoryAccess.getIntAtOffset(out, 48), MemoryAccess.getByteAtOffset(out, 56) != 0);
        }
    }

    /** The revision; 0 of a stale node. */
    public long revision(long node) { return Native.j("store_revision", raw(), node); }

    /** The place among the siblings. */
    public int ordinal(long node) { return Native.ints(1, out -> Native.done("store_ordinal", raw(), node, out))[0]; }

    /** How many ancestors there are. */
    public int depth(long node) { return Native.ints(1, out -> Native.done("store_depth", raw(), node, out))[0]; }

    /** Whether a node stands below another. */
    public boolean isBelow(long node, long ancestor) { return Native.z("store_is_below", raw(), node, ancestor); }

    /** The ordinals from the top down. */
    public int[] path(long node) {
        int room = depth(node) + 1;
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment told = MemorySegment.allocateNative(4, 4, scope);
            MemorySegment out = MemorySegment.allocateNative(4L * room, 4, scope);
            MemoryAccess.setInt(told, room);
            Native.done("store_path", raw(), node, told.address(), out.address());
            return out.asSlice(0, 4L * MemoryAccess.getInt(told)).toIntArray();
        }
    }

    /** The node at the end of such a path, or 0. */
    public long nodeAtPath(int[] path) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            SegmentAllocator room = SegmentAllocator.arenaAllocator(scope);
            return Native.j("store_node_at_path", raw(), Native.ints(path, room).address(), path.length);
        }
    }

    /** The next node in preorder within a subtree, or 0. */
    public long next(long node, long root, boolean skipChildren) {
        return Native.j("store_next", raw(), node, root, skipChildren);
    }

    /** How many nodes a subtree has. */
    public long subtreeCount(long node) { return Native.j("store_subtree_count", raw(), node); }

    /** Some children, as the C call gives them. */
    public long[] children(long parent, int first, int count) {
        int all = childCount(parent);
        int room = Integer.compareUnsigned(first, all) < 0 ? all - first : 0;
        if (Integer.compareUnsigned(count, room) < 0) room = count;
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment told = MemorySegment.allocateNative(4, 4, scope);
            MemorySegment out = MemorySegment.allocateNative(8L * room + 8, 8, scope);
            MemoryAccess.setInt(told, room);
            Native.done("store_children", raw(), parent, first, told.address(), out.address());
            return out.asSlice(0, 8L * MemoryAccess.getInt(told)).toLongArray();
        }
    }

    /** Remove some children. */
    public void removeChildren(long parent, int first, int count) {
        Native.done("store_remove_children", raw(), parent, first, count);
    }

    /** Make a node a leaf, or one that can open. */
    public void setLeaf(long node, boolean leaf) { Native.done("store_set_leaf", raw(), node, leaf); }

    /** Why a load's result would be refused: the status of the C call, 0 where it would not. */
    public int checkStatus(Load load) { return Native.i("load_check", raw(), load.node, load.ticket); }

    /** Whether the node lives. */
    public boolean contains(long node) { return Native.z("store_contains", raw(), node); }

    private Object lent(Object id, SegmentAllocator room) {
        if (bytes == id instanceof Number) throw new CTreeException(2, -1, -1, 0);
        return Native.id(id, room);
    }

    /** The node of an identifier, or 0. */
    public long find(Object id) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            return Native.j("store_find", raw(), lent(id, SegmentAllocator.arenaAllocator(scope)));
        }
    }

    /** The child of that identifier, or 0. */
    public long findChild(long parent, Object id) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            return Native.j("store_find_child", raw(), parent, lent(id, SegmentAllocator.arenaAllocator(scope)));
        }
    }

    /** The identifier: a Long, or bytes. */
    public Object id(long node) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment out = MemorySegment.allocateNative(16, 8, scope);
            Native.done("store_id", raw(), node, out.address());
            return Native.idAt(out, 0);
        }
    }

    /** The parent, 0 at the top. */
    public long parent(long node) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment out = MemorySegment.allocateNative(8, 8, scope);
            Native.done("store_parent", raw(), node, out.address());
            return MemoryAccess.getLong(out);
        }
    }

    /** The value; 0 of a stale node. */
    public long value(long node) { return Native.j("store_value", raw(), node); }

    /** What is known of the children. */
    public State state(long node) { return State.values()[Native.i("store_load_state", raw(), node)]; }

    /** How many children are here. */
    public int childCount(long parent) { return Native.i("store_child_count", raw(), parent); }

    /** The child at a position, or 0. */
    public long childAt(long parent, int position) { return Native.j("store_child_at", raw(), parent, position); }

    /** Insert a node. */
    public long insert(long parent, int at, Object id, long value, long revision, State state) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            SegmentAllocator room = SegmentAllocator.arenaAllocator(scope);
            MemorySegment init = room.allocate(24, 8), out = room.allocate(8, 8);
            MemoryAccess.setLongAtOffset(init, 0, value);
            MemoryAccess.setLongAtOffset(init, 8, revision);
            MemoryAccess.setIntAtOffset(init, 16, state.ordinal());
            int status = Native.i("store_insert", raw(), parent, at, lent(id, room), init.address(), out.address());
            long node = MemoryAccess.getLong(out);
            if (status != 0) throw new CTreeException(status, -1, -1, status == 5 ? node : 0);
            return node;
        }
    }

    /** Remove a node and all below it. */
    public void remove(long node) { Native.done("store_remove", raw(), node); }

    /** Move a node. */
    public void move(long node, long parent, int at) { Native.done("store_move", raw(), node, parent, at); }

    /** Set value and revision. */
    public void set(long node, long value, long revision) { Native.done("store_set_value", raw(), node, value, revision); }

    private interface Bulk { int call(MemoryAddress forest, MemoryAddress fault); }

    private void bulk(Forest forest, Bulk call) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            SegmentAllocator room = SegmentAllocator.arenaAllocator(scope);
            MemorySegment fault = room.allocate(32, 8);
            MemoryAccess.setLongAtOffset(fault, 0, 32);
            MemoryAccess.setLongAtOffset(fault, 8, -1);
            MemoryAccess.setLongAtOffset(fault, 16, -1);
            int status = call.call(forest.lend(room).address(), fault.address());
            if (status != 0) {
                throw new CTreeException(status, MemoryAccess.getLongAtOffset(fault, 8),
                    MemoryAccess.getLongAtOffset(fault, 16), MemoryAccess.getLongAtOffset(fault, 24));
            }
        }
    }

    /** Insert a forest. */
    public void build(long parent, int at, Forest forest) { build(parent, at, forest, null); }

    /** The same, with somebody who may stop it; null for nobody. */
    public void build(long parent, int at, Forest forest, Progress progress) {
        bulk(forest, (items, fault) -> Asked.with(progress, asked ->
            Native.i("store_build", raw(), parent, at, items, asked, Native.NULL, fault)));
    }

    /** Insert all nodes of another tree, which is empty afterwards. */
    public void graft(long parent, int at, Tree other, Progress progress) {
        bulk(new Forest(), (items, fault) -> Asked.with(progress, asked ->
            Native.i("store_graft", raw(), parent, at, other.raw(), asked, fault)));
    }

    /** Make what is below a node like the forest; what is found by identifier stays the same node. */
    public void reconcile(long parent, Forest forest, boolean moves) { reconcile(parent, forest, moves, null); }

    /** The same, with somebody who may stop it; null for nobody. */
    public void reconcile(long parent, Forest forest, boolean moves, Progress progress) {
        bulk(forest, (items, fault) -> Asked.with(progress, asked ->
            Native.i("store_reconcile", raw(), parent, items, moves ? 1 : 0, asked, Native.NULL, fault)));
    }

    /** Begin a transaction. */
    public void begin() { Native.done("store_begin", raw()); }

    /** End it. */
    public void end() { Native.done("store_end", raw()); }

    /** Take the oldest request for children that still stands, or 0. */
    public long nextRequest() { return Native.j("load_next_request", raw()); }

    /** Ask for a node's children. */
    public void request(long node) { Native.done("load_request", raw(), node); }

    /** Begin a load. */
    public Load load(long node, boolean reload) {
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment out = MemorySegment.allocateNative(8, 8, scope);
            int status = Native.i("load_begin", raw(), node, reload ? 1 : 0, out.address());
            if (status != 14) CTreeException.check(status);
            return new Load(node, MemoryAccess.getLong(out), status == 14);
        }
    }

    /** Whether a load's result would be taken now; throws where not. */
    public void check(Load load) { Native.done("load_check", raw(), load.node, load.ticket); }

    /** Hand in all children. */
    public void finish(Load load, Forest forest, boolean moves) {
        bulk(forest, (items, fault) ->
            Native.i("load_finish", raw(), load.node, load.ticket, items, moves ? 1 : 0, Native.NULL, fault));
    }

    /** Hand in a page of children. */
    public void append(Load load, Forest page, boolean more) {
        bulk(page, (items, fault) ->
            Native.i("load_append", raw(), load.node, load.ticket, items, more, Native.NULL, fault));
    }

    /** The load failed. */
    public void fail(Load load, long error) { Native.done("load_fail", raw(), load.node, load.ticket, error); }

    /** Give the load up. */
    public void cancel(Load load) { Native.done("load_cancel", raw(), load.node, load.ticket); }

    /** The error of the last load, 0 without one. */
    public long error(long node) { return Native.j("load_error", raw(), node); }

    /** Drop a node's children; it is unloaded again. */
    public void drop(long node) { Native.done("load_drop", raw(), node); }

    /** Checks every invariant. */
    public void validate() { Native.reasoned(reason -> Native.i("validate", raw(), reason)); }

    private record Told(Listener listener) {
        void before(MemoryAddress context, MemoryAddress store, MemoryAddress edit) {
            Native.guarded(null, () -> { listener.before(Edit.read(edit)); return null; });
        }

        void after(MemoryAddress context, MemoryAddress store, MemoryAddress edit) {
            Native.guarded(null, () -> { listener.after(Edit.read(edit)); return null; });
        }

        void settled(MemoryAddress context, MemoryAddress store) {
            Native.guarded(null, () -> { listener.settled(); return null; });
        }
    }

    /** Add a listener; the number is for unlisten. */
    public long listen(Listener listener) {
        Told told = new Told(listener);
        Class<?> p = MemoryAddress.class;
        try (ResourceScope scope = ResourceScope.newConfinedScope()) {
            MemorySegment given = MemorySegment.allocateNative(32, 8, scope);
            MemorySegment token = MemorySegment.allocateNative(8, 8, scope);
            MemoryAccess.setAddressAtOffset(given, 8, Native.stub(told, "before", stubs, void.class, p, p, p));
            MemoryAccess.setAddressAtOffset(given, 16, Native.stub(told, "after", stubs, void.class, p, p, p));
            MemoryAccess.setAddressAtOffset(given, 24, Native.stub(told, "settled", stubs, void.class, p, p));
            Native.done("store_add_listener", raw(), given.address(), token.address());
            listeners.put(MemoryAccess.getLong(token), told);
            return MemoryAccess.getLong(token);
        }
    }

    /** Remove a listener. */
    public void unlisten(long token) {
        Native.done("store_remove_listener", raw(), token);
        listeners.remove(token);
    }

    /** The children of a node. */
    public List<Long> children(long parent) {
        List<Long> out = new ArrayList<>();
        for (int k = 0; k < childCount(parent); k++) out.add(childAt(parent, k));
        return out;
    }
}
