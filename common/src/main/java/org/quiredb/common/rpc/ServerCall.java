package org.quiredb.common.rpc;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One call under way, as its handler answers it.
///
/// Invariant: at most one answer that ends the call is sent, and nothing after it, nor after the
/// caller has been told that it is lost. Threads: any; guarded by lock. Answers are sent under it,
/// which waits for nothing.
final class ServerCall implements RpcReply {
    private static final Logger LOG = LoggerFactory.getLogger(ServerCall.class);

    private final Answers answers;
    private final long number;
    private final Runnable onEnd;
    private final StopSignal signal = new StopSignal();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long creditBytes = Frames.WINDOW_BYTES;
    private boolean atOnce;
    private boolean ended;
    private @Nullable String gone;

    ServerCall(Answers answers, long number, Runnable onEnd) {
        this.answers = answers;
        this.number = number;
        this.onEnd = onEnd;
    }

    /// Has the handler answer, on this thread, which it may block. Whatever it throws ends the
    /// call.
    void run(RpcHandler handler, RpcPeer caller, byte[] request) {
        handle(
                caller,
                () -> {
                    handler.handle(caller, request, this);
                    handled();
                    return true;
                });
    }

    /// Has the handler answer if it does so at once; its parts wait for no window.
    ///
    /// @return whether the call has ended
    boolean runNow(RpcHandler handler, RpcPeer caller, byte[] request) {
        atOnce = true;
        boolean done =
                handle(
                        caller,
                        () -> {
                            boolean ended = handler.handleNow(caller, request, this);
                            if (ended) {
                                handled();
                            }
                            return ended;
                        });
        atOnce = done;
        return done;
    }

    /// Has the handler take it, if it ends it later.
    ///
    /// @return whether it has
    boolean begin(RpcHandler handler, RpcPeer caller, byte[] request) {
        return handle(caller, () -> handler.begin(caller, request, this));
    }

    private boolean handle(RpcPeer caller, BooleanSupplier work) {
        try {
            return signal.during(work::getAsBoolean);
        } catch (RpcException e) {
            LOG.debug("call {} of {} is gone", number, caller, e);
            fail(String.valueOf(e.getMessage()));
        } catch (QuireException e) {
            LOG.warn("call {} of {} failed: {}", number, caller, e.getMessage());
            fail("the handler failed: " + e);
        } catch (Throwable e) { // nobody else sees what ends a handler's thread
            LOG.error("call {} of {} failed for a reason of this node's own", number, caller, e);
            fail("the handler failed: " + e);
        }
        return true;
    }

    @Override
    public void part(byte[] bytes) {
        Frames.requireSize(bytes);
        lock.lock();
        try {
            requireOpen();
            while (creditBytes <= 0 && gone == null && !atOnce) {
                if (signal.requested()) { // an event loop may want the lock: no giving way here
                    throw StopSignal.interrupted();
                }
                changed.await();
            }
            if (gone != null) {
                throw new RpcException(gone);
            }
            creditBytes -= bytes.length;
            answers.part(number, bytes);
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
                answers.end(number, message);
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
                    answers.failed(number, reason);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// The handler has returned: an answer that it did not give will not come.
    private void handled() {
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

    /// As gone, and the caller is told so here.
    void lost(String reason) {
        lock.lock();
        try {
            if (!ended && gone == null) {
                gone = reason;
                changed.signalAll();
                answers.failed(number, reason);
            }
        } finally {
            lock.unlock();
        }
        signal.request();
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
