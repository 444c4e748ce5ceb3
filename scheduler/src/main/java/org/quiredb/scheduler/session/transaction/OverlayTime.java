package org.quiredb.scheduler.session.transaction;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.state.Services;

/// How long rows may lie over the backend's: they keep appliers and others from rows there.
///
/// Threads: any.
public final class OverlayTime {
    private final Services services;

    public OverlayTime(Services services) {
        this.services = services;
    }

    /// @throws StatementFailed as of a statement's own time limit
    public <T> T limited(Supplier<T> work) {
        long seconds = services.limits().overlay().toSeconds();
        AtomicBoolean late = new AtomicBoolean();
        StopSignal ours = new StopSignal();
        ScheduledFuture<?> limit =
                services.clock()
                        .schedule(
                                () -> {
                                    late.set(true);
                                    ours.request();
                                },
                                seconds,
                                TimeUnit.SECONDS);
        try (StopSignal.Watch _ = StopSignal.current().watch(ours::request)) {
            return ours.during(work);
        } catch (QuireException | StatementFailed e) {
            StopSignal.current().check();
            if (!late.get()) {
                throw e;
            }
            throw new StatementFailed(
                    services.mariaDb() ? 1969 : 3024,
                    services.mariaDb() ? "70100" : "HY000",
                    "Query execution was interrupted: it runs on the backend over what its transaction has changed, for %d s at most (scheduler.limits.overlaySeconds)"
                            .formatted(seconds));
        } finally {
            limit.cancel(false);
        }
    }
}
