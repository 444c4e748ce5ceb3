package org.quiredb.scheduler.cluster;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.quiredb.common.rpc.RpcCall;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.rpc.RpcReceiver;

/// One call, waited for on a virtual thread; its parts go on as they come.
///
/// Threads: part, end and failed on the connection's event loop; await on the caller's.
final class AwaitedCall implements RpcReceiver {
    private final CompletableFuture<byte[]> end = new CompletableFuture<>();
    private final CompletableFuture<RpcCall> call = new CompletableFuture<>();
    private final PartSink sink;
    private volatile boolean partsSeen;

    AwaitedCall(PartSink sink) {
        this.sink = sink;
    }

    void began(RpcCall begun) {
        call.complete(begun);
    }

    boolean hasBegun() {
        return call.isDone();
    }

    /// Asks for the work to be stopped; the end is still waited for.
    void stop() {
        whenBegun(RpcCall::stop);
    }

    @Override
    public void part(byte[] bytes) {
        partsSeen = true;
        int size = bytes.length;
        sink.part(bytes, () -> whenBegun(c -> c.consumed(size)));
    }

    @Override
    public void end(byte[] message) {
        end.complete(message);
    }

    @Override
    public void failed(RpcException reason) {
        end.completeExceptionally(reason);
    }

    /// Waits no longer; nothing of the answer comes any more. Threads: any.
    void giveUp() {
        whenBegun(RpcCall::cancel);
        failed(new RpcException("no answer in time"));
    }

    private void whenBegun(Consumer<RpcCall> action) {
        var _ = call.thenAccept(action);
    }

    boolean partsSeen() {
        return partsSeen;
    }

    byte[] await(long timeoutMillis) {
        try {
            return end.get(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNull(e.getCause());
            throw new RpcException(String.valueOf(cause.getMessage()), cause);
        } catch (TimeoutException e) {
            whenBegun(RpcCall::cancel);
            throw new RpcException("no answer within " + timeoutMillis + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            whenBegun(RpcCall::cancel);
            throw new RpcException("interrupted", e);
        }
    }
}
