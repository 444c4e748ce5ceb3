package org.quiredb.node.console;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.node.status.TierStatus;
import org.quiredb.scheduler.statement.StatementKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks at the tier: four times a second at who is what, so that an event's time is true to a
/// quarter of a second, each second at the figures.
///
/// Threads: two of its own, one that looks and one that asks the far nodes and may be kept waiting
/// by them; state() and the others from any.
final class ConsoleWatch implements AutoCloseable {
    static final int SAMPLES = 15 * 60;
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleWatch.class);
    private static final long LOOK_MILLIS = 250;
    private static final long SAMPLE_MILLIS = 1_000;

    private final Source source;
    private final InstantSource clock;
    private final Runnable onSample;
    private final ConsoleEvents changes = new ConsoleEvents();
    private final Rates rates = new Rates();
    private final History history = new History(SAMPLES);
    private final Happenings happenings = new Happenings();
    private final Map<String, NodeStatus> lastByAddress = new HashMap<>();
    private final Thread looking;
    private final Thread asking;
    private volatile List<ClusterNode> far = List.of();
    private volatile Set<String> inSync = Set.of();
    private volatile Sample sample;
    private volatile boolean closed;

    /// @param values of the series, by name
    record Sample(Look look, Map<String, Double> values) {}

    /// @param onSample told after each sample; must not block for long
    ConsoleWatch(Source source, InstantSource clock, Runnable onSample) {
        this.source = source;
        this.clock = clock;
        this.onSample = onSample;
        sample = new Sample(new Look(clock.millis(), TierStatus.of(List.of()), inSync), Map.of());
        looking = Thread.ofPlatform().daemon().name("console").unstarted(this::look);
        asking = Thread.ofVirtual().name("console far").unstarted(this::ask);
    }

    void start() {
        asking.start();
        looking.start();
    }

    Sample sample() {
        return sample;
    }

    History history() {
        return history;
    }

    Happenings happenings() {
        return happenings;
    }

    private void look() {
        long sampled = 0;
        while (!closed) {
            long now = clock.millis();
            try {
                Look look = lookNow(now);
                happenings.add(now, changes.take(look));
                if (now - sampled >= SAMPLE_MILLIS) {
                    sampled = now - now % LOOK_MILLIS;
                    take(look);
                }
            } catch (RuntimeException e) {
                LOG.warn("the console missed a look at the tier; it looks again", e);
            }
            long untilNext = LOOK_MILLIS - clock.millis() % LOOK_MILLIS;
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(untilNext));
        }
    }

    private void take(Look look) {
        Map<StatementKind, long[]> counted = new EnumMap<>(StatementKind.class);
        for (StatementKind kind : StatementKind.values()) {
            counted.put(kind, source.statements().durations(kind).counts());
        }
        Map<String, Double> values = rates.take(look, counted);
        if (!values.isEmpty()) {
            history.add(look.at(), values);
        }
        sample = new Sample(look, values);
        onSample.run();
    }

    private Look lookNow(long now) {
        List<ClusterNode> nodes = new ArrayList<>(source.near());
        nodes.addAll(far);
        return new Look(now, TierStatus.of(nodes.stream().map(this::known).toList()), inSync);
    }

    /// One that does not answer has the name under which it did.
    private ClusterNode known(ClusterNode node) {
        NodeStatus status = node.status();
        if (status != null) {
            lastByAddress.put(node.address(), status);
            return node;
        }
        return new ClusterNode(node.address(), node.reachable(), lastByAddress.get(node.address()));
    }

    private void ask() {
        long known = -1;
        while (!closed) {
            try {
                far = List.copyOf(source.far());
                long epoch =
                        source.near().stream()
                                .map(ClusterNode::status)
                                .mapToLong(status -> status == null ? 0 : status.epoch())
                                .max()
                                .orElse(0);
                if (epoch != known) {
                    inSync = source.inSync();
                    known = epoch;
                }
            } catch (RuntimeException e) {
                LOG.debug("the console was not told something", e);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SAMPLE_MILLIS));
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(looking);
        asking.interrupt();
    }
}
