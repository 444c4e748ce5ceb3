package org.quiredb.replica.warm;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.trust.Trust;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.transfer.PeerConnections;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells spares which pages the reads of an active replica use, and touches those that it is told
/// as a spare.
///
/// Threads: `read` and `touch` by any; a thread of its own sends.
public final class PageHints implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PageHints.class);
    private static final Duration SILENCE = Duration.ofSeconds(2);

    private final String self;
    private final Trust trust;
    private final Warmup warmup;
    private final PageStore store;
    private final Supplier<Topology> topology;
    private final AtomicLong reads = new AtomicLong();
    private final LongAdder sent = new LongAdder();
    private final LongAdder touched = new LongAdder();
    private final Thread thread;
    private volatile boolean closed;

    public PageHints(
            String self, Trust trust, Warmup warmup, PageStore store, Supplier<Topology> topology) {
        this.trust = trust;
        this.self = self;
        this.warmup = warmup;
        this.store = store;
        this.topology = topology;
        thread = Thread.ofVirtual().name("page hints").unstarted(this::run);
        if (warmup.hints()) {
            thread.start();
        }
    }

    /// A read statement has been answered.
    public void read() {
        if (warmup.hints() && reads.incrementAndGet() % warmup.reads() == 0) {
            LockSupport.unpark(thread);
        }
    }

    /// As a spare, unless it is to be kept warm in another way: these pages are used elsewhere.
    public void touch(List<Long> pages) {
        if (warmup.hints()) {
            pages.forEach(store::touch);
            touched.add(pages.size());
        }
    }

    /// Page ids, as often as they were sent.
    public long sent() {
        return sent.sum();
    }

    /// Page ids, as often as they were received.
    public long touched() {
        return touched.sum();
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }

    private void run() {
        try (PeerConnections callers = new PeerConnections(trust, SILENCE)) {
            long told = 0;
            while (!closed && !Thread.currentThread().isInterrupted()) {
                if (reads.get() - told < warmup.reads()) {
                    LockSupport.park(this);
                } else {
                    told = reads.get();
                    tell(callers);
                }
            }
        }
    }

    private void tell(PeerConnections callers) {
        Topology now = topology.get();
        boolean active = now.member(self).filter(m -> !m.spare()).isPresent();
        List<Member> spares = now.members().stream().filter(Member::spare).toList();
        if (!active || spares.isEmpty()) {
            store.uses().stop();
            return;
        }
        List<Long> used = store.uses().next();
        if (used.isEmpty()) {
            return;
        }
        byte[] hints = new ReplicaRequest.PageHints(used).encode();
        for (Member spare : spares) {
            try {
                callers.to(new InetSocketAddress(spare.host(), spare.port()))
                        .call(hints, part -> {});
                sent.add(used.size());
            } catch (RpcException e) {
                LOG.debug("{} is not told which pages are used: {}", spare.name(), e.getMessage());
            }
        }
    }
}
