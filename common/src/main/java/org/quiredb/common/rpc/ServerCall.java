package org.quiredb.common.rpc;

import io.netty.channel.Channel;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.lifecycle.StopSignal;

/// One call under way, as its handler answers it.
///
/// Invariant: at most one frame that ends the call is sent, and nothing after it. Threads: any;
/// guarded by lock. Frames are sent under it, which only queues them on the event loop.
final class ServerCall implements RpcReply {
    private final Channel channel;
    private final long number;
    private final Runnable onEnd;
    private final StopSignal signal = new StopSignal();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long creditBytes = Frames.WINDOW_BYTES;
    private boolean ended;
    private @Nullable String gone;

    ServerCall(Channel channel, long number, Runnable onEnd) {
        this.channel = channel;
        this.number = number;
        this.onEnd = onEnd;
    }

    /// Whether somebody still wants the call's work.
    StopSignal signal() {
        return signal;
    }

    long number() {
        return number;
    }

    @Override
    public void part(byte[] bytes) {
        Frames.requireSize(bytes);
        lock.lock();
        try {
            requireOpen();
            while (creditBytes <= 0 && gone == null) {
                signal.check();
                changed.await();
            }
            if (gone != null) {
                throw new RpcException(gone);
            }
            creditBytes -= bytes.length;
            Frames.send(channel, FrameKind.PART, number, bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while the caller's window was full", e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void end(byte[] message) {
        Frames.requireSize(message);
        lock.lock();
        try {
            requireOpen();
            finish();
            if (gone == null) {
                Frames.send(channel, FrameKind.END, number, message);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Ends the call as failed, unless it has ended.
    void fail(String reason) {
        lock.lock();
        try {
            if (!ended) {
                finish();
                if (gone == null) {
                    Frames.sendFailure(channel, number, reason);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// The handler has returned: an answer that it did not give will not come.
    void handled() {
        lock.lock();
        try {
            if (!ended && gone == null) {
                throw new IllegalStateException("the handler returned without ending the call");
            }
            finish();
        } finally {
            lock.unlock();
        }
    }

    void credit(int bytes) {
        lock.lock();
        try {
            creditBytes = Math.min(Frames.WINDOW_BYTES, creditBytes + bytes);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The answer is waited for, but may be that the work was not done.
    void stop() {
        signal.request();
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Nobody waits for the answer any more.
    void gone(String reason) {
        lock.lock();
        try {
            gone = reason;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        signal.request(); // last: who sends parts is told that the caller is gone
    }

    private void requireOpen() {
        if (ended) {
            throw new IllegalStateException("the call has ended");
        }
    }

    private void finish() {
        ended = true;
        onEnd.run();
    }
}
