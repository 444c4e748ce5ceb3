package org.quiredb.scheduler.session.backend;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.fallback.Evaluating;
import org.quiredb.scheduler.fallback.Freshness;
import org.quiredb.scheduler.route.Tags;
import org.quiredb.scheduler.session.state.Services;

/// How far the backend has applied what the tier has committed: waited for before a statement, and
/// learned of after it.
///
/// Threads: owned by the session's thread.
public final class CaughtUp {
    /// Where nobody knows what a read shows.
    public static final Predicate<ConflictClass> ANY = c -> true;

    private final Services services;
    private long life;

    CaughtUp(Services services) {
        this.services = services;
    }

    /// What a transaction reads must be as far as all is by now.
    void requireReached(Evaluating where) {
        Freshness freshness = await(ANY);
        if (services.backend().several() && !where.reaches(freshness)) {
            throw new QuireException(
                    ErrorCode.DEADLOCK,
                    "the backend that the transaction reads is behind others; try restarting transaction");
        }
    }

    /// What it may have shown is what every scheduler shows from now on.
    void learnEverything() {
        if (!services.backend().several()) {
            learn(ANY);
        }
    }

    /// @param shows the classes whose rows are shown
    Freshness await(Predicate<ConflictClass> shows) {
        try {
            return StopSignal.current().whileWaiting(() -> applied(shows));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("only what is unchecked is thrown", e);
        }
    }

    private Freshness applied(Predicate<ConflictClass> shows) {
        Cluster cluster = services.cluster();
        cluster.awaitReady();
        Catalogue catalogue = cluster.catalogue();
        VersionVector tag;
        try (Tags.Use use = cluster.companions().tag()) {
            tag = use.tag();
            life = use.life();
        }
        Map<ConflictClass, Long> least = new HashMap<>();
        for (ConflictClass conflictClass : catalogue.classes()) {
            long position = catalogue.position(conflictClass, tag);
            cluster.logger().awaitApplied(conflictClass, position);
            least.put(conflictClass, position);
        }
        return new Freshness(least, positions -> learn(positions, shows));
    }

    /// Of several databases the logger tells what all have, and the one that was read may have
    /// more.
    private void learn(Map<ConflictClass, Long> positions, Predicate<ConflictClass> shows) {
        Cluster cluster = services.cluster();
        VersionVector _ = cluster.learnShown(positions, shows);
        cluster.requireLife(life);
    }

    /// Asked of the only database itself, since that is nearer than the log; of the log where it is
    /// lost just now.
    void learn(Predicate<ConflictClass> shows) {
        learn(services.backend().applied().orElseGet(services.cluster().logger()::applied), shows);
    }

    /// Of the scheduler, when the backend was last waited for.
    public long life() {
        return life;
    }
}
