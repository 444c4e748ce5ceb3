package org.quiredb.common.rpc;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Hands an answer over to the thread that waits for it.
///
/// Invariant: the queue holds no more than the call's window and one end.
final class BlockingReceiver implements RpcReceiver {
    private sealed interface Event {
        @SuppressWarnings("ArrayRecordComponent") // owned by the event, never compared
        record Part(byte[] bytes) implements Event {}

        @SuppressWarnings("ArrayRecordComponent") // owned by the event, never compared
        record End(byte[] message) implements Event {}

        record Failed(RpcException reason) implements Event {}
    }

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    @Override
    public void part(byte[] bytes) {
        events.add(new Event.Part(bytes));
    }

    @Override
    public void end(byte[] message) {
        events.add(new Event.End(message));
    }

    @Override
    public void failed(RpcException reason) {
        events.add(new Event.Failed(reason));
    }

    byte[] await(RpcCall call, Consumer<byte[]> parts, Duration timeout) {
        while (true) {
            switch (next(timeout)) {
                case Event.Part(byte[] bytes) -> {
                    parts.accept(bytes);
                    call.consumed(bytes.length);
                }
                case Event.End(byte[] message) -> {
                    return message;
                }
                case Event.Failed(RpcException reason) ->
                        throw new RpcException(String.valueOf(reason.getMessage()), reason);
            }
        }
    }

    private Event next(Duration timeout) {
        try {
            Event event = events.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
            if (event == null) {
                throw new RpcException("no answer within " + timeout);
            }
            return event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while waiting for an answer", e);
        }
    }
}
