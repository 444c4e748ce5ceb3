package org.quiredb.common.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// A connection within one process: a request is handled by the caller's thread where that is short
/// or the caller lets it, or begun there where the handler has a thread that ends it, else handled
/// by a virtual thread, and answers are given to the receiver by whoever has them.
///
/// It ends as one over a socket does: when either side closes it, every call under way fails at
/// once, and what its handler still sends is dropped.
///
/// Threads: any; onClose is guarded by this.
final class LocalConnection implements Connection {
    private final LocalServer server;
    private final RpcPeer peer;
    private final Set<LocalCall> calls = ConcurrentHashMap.newKeySet();
    private final AtomicLong numbers = new AtomicLong();
    private volatile boolean closed;

    @GuardedBy("this")
    private List<Runnable> onClose = new ArrayList<>();

    LocalConnection(LocalServer server) {
        this.server = server;
        peer = new RpcPeer(server.nextPeer(), "this process", true, () -> closed);
    }

    @Override
    public RpcCall call(byte[] request, RpcReceiver receiver) {
        LocalCall call = begin(receiver);
        if (call.isOpen()
                && !call.served().runNow(server.handler(), peer, request)
                && !call.served().begin(server.handler(), peer, request)) {
            Thread.ofVirtual()
                    .name("rpc-call-", call.number())
                    .start(() -> call.served().run(server.handler(), peer, request));
        }
        return call;
    }

    @Override
    public void callHere(byte[] request, RpcReceiver receiver, Consumer<RpcCall> begun) {
        LocalCall call = begin(receiver);
        begun.accept(call); // what it sends then is taken, which its window waits for
        ServerCall served = call.served();
        if (call.isOpen()
                && !served.runNow(server.handler(), peer, request)
                && !served.begin(server.handler(), peer, request)) {
            served.run(server.handler(), peer, request);
        }
    }

    @Override
    public boolean callNow(byte[] request, RpcReceiver receiver) {
        LocalCall call = begin(receiver);
        boolean done = !call.isOpen() || call.served().runNow(server.handler(), peer, request);
        if (!done) {
            call.cancel();
            calls.remove(call);
        }
        return done;
    }

    private LocalCall begin(RpcReceiver receiver) {
        LocalCall call = new LocalCall(numbers.incrementAndGet(), receiver, calls::remove);
        if (calls.size() >= Frames.MAX_CALLS_PER_CONNECTION) {
            call.lose("more than " + calls.size() + " calls under way to " + address());
            return call;
        }
        calls.add(call);
        if (closed) {
            call.lose("no connection to " + address());
            calls.remove(call);
        }
        return call;
    }

    private String address() {
        return RpcClient.name(server.address());
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public void onClose(Runnable action) {
        synchronized (this) {
            if (!closed) {
                onClose.add(action);
                return;
            }
        }
        action.run();
    }

    @Override
    public void close() {
        List<Runnable> told;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            told = onClose;
            onClose = List.of();
        }
        server.left(this);
        calls.forEach(call -> call.lose("connection to " + address() + " lost"));
        told.forEach(Runnable::run);
        Thread.ofVirtual()
                .name("rpc-disconnected")
                .start(() -> server.handler().disconnected(peer));
    }
}
