package org.quiredb.scheduler.route;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.version.VersionVector;

/// One read, from replica to replica until one has answered it or nobody will: pure. It says what
/// to do next, and is told what came of it.
///
/// Replicas that are lost give way to others soon: while none is there, or those that are do not
/// take reads yet, a read waits, as an update does for a master.
///
/// Invariant: a read takes a new tag, or loses the replica that runs it, {@link #MAXIMUM_ATTEMPTS}
/// times at most, less often where {@link Losses} say so, and is over when it has paused, and
/// replicas, but for the first, have taken time to refuse it, for {@link #LIMIT_MILLIS}. How long
/// one runs what it then loses does not count, nor how long its client waits for LOCK TABLES of
/// others.
///
/// Threads: one.
public final class ReadAttempts {
    static final int MAXIMUM_ATTEMPTS = 6;
    static final long LIMIT_MILLIS = 10_000;
    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final int MOST_DOUBLINGS = 5;

    /// What is to be done; then {@link #next}.
    public sealed interface Step {
        /// Unless it answers, {@link #refused} or {@link #lost} is to be told.
        record Ask(String replica) implements Step {}

        record Pause(long millis) implements Step {}

        /// A replica may know of newer commits than this scheduler does: they are waited for, no
        /// longer than this.
        record TakeFreshTag(long waitMillis) implements Step {}

        record Backend() implements Step {}

        record GiveUp(ErrorCode code, String why) implements Step {}
    }

    /// How it stands when it is decided what to do.
    ///
    /// @param replica where its transaction has read, empty for nowhere
    /// @param fixed its transaction has read at the tag, or has asked for it
    /// @param outlived nobody has, and others may have gone on without this scheduler when it took
    ///   the tag
    public record Sight(
            List<ReplicaView> replicas,
            VersionVector tag,
            String replica,
            boolean fixed,
            boolean outlived) {}

    private sealed interface Failure {
        record Refused(Reason reason, String why) implements Failure {}

        record Lost(boolean partsSeen, String why) implements Failure {}
    }

    private final Set<Integer> tables;
    private final Losses losses;
    private final Set<String> excluded = new HashSet<>();
    private int attempt = 1;
    private int doublings = 1;
    private String asked = "";
    private long askedMillis;
    private @Nullable Failure failure;
    private boolean failed;
    private long leftMillis = LIMIT_MILLIS;

    /// @param tables ids of those that it reads
    public ReadAttempts(Set<Integer> tables, Losses losses) {
        this.tables = tables;
        this.losses = losses;
    }

    public void refused(Reason reason, String detail) {
        failure = new Failure.Refused(reason, detail);
    }

    /// @param partsSeen parts of the result have come, and gone to the client
    public void lost(boolean partsSeen, String why) {
        failure = new Failure.Lost(partsSeen, why);
    }

    /// @param turn as the router takes it
    public Step next(Sight now, LongSupplier turn, long nowMillis) {
        Failure met = failure;
        if (met != null) {
            failure = null;
            if (failed && met instanceof Failure.Refused) {
                leftMillis -= nowMillis - askedMillis;
            }
            failed = true;
            Optional<Step> after = after(met, now);
            if (after.isPresent()) {
                return after.get();
            }
        }
        if (now.outlived) {
            return attempt < MAXIMUM_ATTEMPTS && leftMillis > 0
                    ? freshTag()
                    : unavailable("the schedulers change all the time");
        }
        return switch (Router.read(now.replicas, now.replica, now.tag, tables, excluded, turn)) {
            case Routing.ToReplica(String name) -> ask(name, nowMillis);
            case Routing.ToMaster(String name) -> ask(name, nowMillis);
            case Routing.Rejected(ErrorCode _, String why) ->
                    leftMillis <= 0 ? unavailable(why) : new Step.Pause(pauseMillis());
        };
    }

    private Step ask(String replica, long nowMillis) {
        asked = replica;
        askedMillis = nowMillis;
        return new Step.Ask(replica);
    }

    /// Empty when another replica is to be asked at once.
    private Optional<Step> after(Failure met, Sight now) {
        boolean over = leftMillis <= 0;
        boolean last = over || attempt >= MAXIMUM_ATTEMPTS;
        return switch (met) {
            case Failure.Lost(boolean partsSeen, String why) ->
                    losses.tooMany()
                            ? Optional.of(new Step.GiveUp(ErrorCode.UNKNOWN_ERROR, losses.told()))
                            : partsSeen || last
                                    ? Optional.of(noReplica(why))
                                    : lostAndElsewhere(now);
            case Failure.Refused(Reason reason, String why) ->
                    switch (reason) {
                        case CANNOT_RUN_HERE -> Optional.of(new Step.Backend());
                        case TABLE_CHANGED ->
                                Optional.of(
                                        now.fixed
                                                ? new Step.GiveUp(ErrorCode.TABLE_CHANGED, why)
                                                : last ? new Step.Backend() : freshTag());
                        case VERSION_RECLAIMED ->
                                last || (now.fixed && others(now) == 0)
                                        ? Optional.of(
                                                new Step.GiveUp(ErrorCode.SNAPSHOT_TOO_OLD, why))
                                        : now.fixed ? elsewhere(now) : Optional.of(freshTag());
                        case NOT_RECEIVED,
                                OTHER_EPOCH,
                                NOT_SERVING,
                                NOT_MASTER,
                                NOT_OPEN,
                                OTHER_SCHEDULERS,
                                NOT_IN_GROUP ->
                                over
                                        ? Optional.of(noReplica(asked + ": " + reason + " " + why))
                                        : elsewhere(now);
                    };
        };
    }

    private Step freshTag() {
        excluded.clear();
        attempt++;
        return new Step.TakeFreshTag(pauseMillis());
    }

    private long pauseMillis() {
        long millis = FIRST_PAUSE_MILLIS << doublings;
        doublings = Math.min(doublings + 1, MOST_DOUBLINGS);
        leftMillis -= millis;
        return millis;
    }

    private Optional<Step> lostAndElsewhere(Sight now) {
        attempt++;
        return elsewhere(now);
    }

    /// At the same tag; after a while where everybody has been asked.
    private Optional<Step> elsewhere(Sight now) {
        boolean none = others(now) == 0;
        boolean again = !excluded.add(asked);
        return none || again ? Optional.of(new Step.Pause(pauseMillis())) : Optional.empty();
    }

    private long others(Sight now) {
        return now.replicas.stream()
                .filter(v -> v.serving() && !v.name().equals(asked) && !excluded.contains(v.name()))
                .count();
    }

    private static Step noReplica(String why) {
        return unavailable("no replica answers: " + why);
    }

    private static Step unavailable(String why) {
        return new Step.GiveUp(ErrorCode.TIER_UNAVAILABLE, why);
    }
}
