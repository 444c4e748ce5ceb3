package org.quiredb.simulation;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.scheduler.cluster.PartSink;
import org.quiredb.scheduler.replay.Attempts;
import org.quiredb.scheduler.replay.Ending;
import org.quiredb.scheduler.replay.ReplayLimits;
import org.quiredb.scheduler.replay.ResultSum;
import org.quiredb.scheduler.replay.Resumption;
import org.quiredb.scheduler.replay.Settlement;
import org.quiredb.scheduler.replay.Transcript;
import org.quiredb.scheduler.route.Losses;
import org.quiredb.simulation.Requests.Reply;
import org.quiredb.simulation.Requests.Statement;

/// An update transaction as its scheduler runs it: begun on its class's master, run again where
/// that is lost, committed. It decides nothing.
///
/// Threads: one.
final class UpdateSession {
    private static final long CALL_MILLIS = 8_000;
    private static final ReplicaReply ROWS = new ReplicaReply.Rows(1);

    private final SchedulerNode scheduler;
    private final Tier tier;
    private final ConflictClass c;
    private final Transcript transcript;
    private final Losses losses = new Losses();
    private boolean open;
    private SchedulerNode.@Nullable Master master;
    private long id;
    private VersionVector began = VersionVector.EMPTY;

    UpdateSession(SchedulerNode scheduler, Tier tier, ConflictClass c) {
        this.scheduler = scheduler;
        this.tier = tier;
        this.c = c;
        transcript = new Transcript(ReplayLimits.DEFAULT, nowMillis());
    }

    private long nowMillis() {
        return scheduler.world.nowMillis();
    }

    private void after(long millis, Runnable next) {
        scheduler.after(1_000 * millis, next);
    }

    /// @param then told what it shows, or null when the transaction is over
    void run(Statement statement, Consumer<@Nullable List<Integer>> then) {
        losses.begin();
        run(new Attempts(losses), statement, then);
    }

    private void run(
            Attempts attempts, Statement statement, Consumer<@Nullable List<Integer>> then) {
        if (open) {
            ask(attempts, statement, false, then);
        } else {
            begin(begun -> {
                if (begun) {
                    ask(attempts, statement, true, then);
                } else {
                    then.accept(null);
                }
            });
        }
    }

    private void begin(Consumer<Boolean> then) {
        scheduler.awaitMaster(
                c,
                now -> {
                    if (now.isPresent()) {
                        master = now.get();
                        id = tier.nextTransactionId();
                        began = scheduler.stable();
                    }
                    then.accept(now.isPresent());
                });
    }

    private void ask(
            Attempts attempts,
            Statement statement,
            boolean first,
            Consumer<@Nullable List<Integer>> then) {
        open = true;
        call(
                request(statement, first),
                answer -> {
                    if (answer instanceof Requests.Values(List<Integer> values)) {
                        long sum = sum(answer).endingWith(ROWS);
                        transcript.add(statement.call(), ROWS, sum, nowMillis());
                        then.accept(values);
                        return;
                    }
                    Attempts.Step step =
                            answer == null
                                    ? attempts.lost(first, "no answer")
                                    : attempts.answered(reply(answer), first, false, nowMillis());
                    Runnable again = () -> run(attempts, statement, then);
                    switch (step) {
                        case Attempts.Step.Again(long millis) -> {
                            letGo();
                            after(millis, again);
                        }
                        case Attempts.Step.Replay(String why) ->
                                replay(goesOn -> {
                                    if (goesOn) {
                                        again.run();
                                    } else {
                                        then.accept(null);
                                    }
                                });
                        case Attempts.Step.Over _ -> {
                            letGo();
                            then.accept(null);
                        }
                    }
                });
    }

    private Requests.Update request(Statement statement, boolean begins) {
        return new Requests.Update(c, term(), id, begins, statement);
    }

    private long term() {
        return scheduler.term(c, on());
    }

    private SchedulerNode.Master on() {
        return Optional.ofNullable(master).orElseThrow();
    }

    /// @param then told null when there is no answer
    private void call(Requests.Request request, Consumer<@Nullable Reply> then) {
        scheduler.call(
                on().node(),
                request,
                CALL_MILLIS,
                answer -> {
                    if (answer.isEmpty()) {
                        losses.met("no answer", scheduler.serving());
                    }
                    then.accept(answer.orElse(null));
                });
    }

    private static ReplicaReply reply(Reply answer) {
        return switch (answer) {
            case Requests.Told(ReplicaReply reply) -> reply;
            case Requests.Values _ -> ROWS;
            default -> throw new IllegalStateException("an update: " + answer);
        };
    }

    /// What a client sees of it.
    private static ResultSum sum(Reply answer) {
        ResultSum sum = new ResultSum(PartSink.NONE);
        if (answer instanceof Requests.Values(List<Integer> values)) {
            ByteBuffer packets = ByteBuffer.allocate(4 * values.size());
            values.forEach(packets::putInt);
            sum.part(packets.array(), () -> {});
        }
        return sum;
    }

    /// @param then told whether it goes on
    private void replay(Consumer<Boolean> then) {
        letGo();
        Resumption resumption = new Resumption(transcript, losses, nowMillis());
        resume(resumption, resumption.look(nowMillis()), then);
    }

    private void resume(Resumption resumption, Resumption.Step step, Consumer<Boolean> then) {
        switch (step) {
            case Resumption.Step.Begin() ->
                    begin(begun -> {
                        if (begun) {
                            resume(resumption, resumption.begun(), then);
                        } else {
                            then.accept(false);
                        }
                    });
            case Resumption.Step.Run(Transcript.Step statement, boolean begins) ->
                    call(
                            request(Statement.of(statement.call()), begins),
                            answer ->
                                    resume(
                                            resumption,
                                            answer == null
                                                    ? resumption.lost()
                                                    : resumption.answered(
                                                            reply(answer), sum(answer)),
                                            then));
            case Resumption.Step.RollBack(long millis) -> {
                letGo();
                after(millis, () -> resume(resumption, resumption.look(nowMillis()), then));
            }
            case Resumption.Step.GoOn() -> {
                tier.met("replayed");
                open = true;
                then.accept(true);
            }
            case Resumption.Step.BeginAnew() -> then.accept(true);
            case Resumption.Step.GiveUp(boolean differs, String why) -> {
                if (differs) {
                    tier.met("replay differs");
                }
                letGo();
                then.accept(false);
            }
        }
    }

    /// Until it is heard: its connection would tell.
    void letGo() {
        open = false;
        letGo(on(), new Requests.Rollback(id, c, false));
    }

    private void letGo(SchedulerNode.Master left, Requests.Rollback request) {
        scheduler.call(
                left.node(),
                request,
                CALL_MILLIS,
                answer -> {
                    if (answer.isEmpty() && left.node().up()) {
                        after(500, () -> letGo(left, request));
                    }
                });
    }

    /// @param then told whether everybody knows what it may have seen. Where the class's term is
    ///   over, that may have gone with it
    void rollBack(Consumer<Boolean> then) {
        SchedulerNode.Master at = on();
        call(
                new Requests.Rollback(id, c, true),
                answer -> {
                    if (answer instanceof Requests.Told(ReplicaReply.RolledBack(var seen))
                            && term() == at.term()) {
                        scheduler.companionship().learn(seen, then);
                    } else {
                        letGo();
                        then.accept(false);
                    }
                });
    }

    /// @param then told whether it is committed, null when nobody knows
    void commit(Consumer<@Nullable Boolean> then) {
        losses.begin();
        Ending ending = new Ending(losses);
        end(ending, ending.begin(), then);
    }

    private void end(Ending ending, Ending.Step step, Consumer<@Nullable Boolean> then) {
        switch (step) {
            case Ending.Step.Commit() ->
                    call(
                            new Requests.Commit(c, term(), id),
                            answer ->
                                    end(
                                            ending,
                                            answer == null
                                                    ? ending.lost("no answer")
                                                    : ending.answered(reply(answer)),
                                            then));
            case Ending.Step.Settle(String why) -> {
                Settlement settlement = new Settlement(on().term(), nowMillis());
                settle(
                        settlement,
                        settlement.look(nowMillis()),
                        outcome -> {
                            if (outcome == null) {
                                then.accept(null);
                            } else {
                                end(ending, ending.settled(outcome), then);
                            }
                        });
            }
            case Ending.Step.Replay() ->
                    replay(goesOn -> {
                        if (goesOn) {
                            end(ending, ending.begin(), then);
                        } else {
                            then.accept(false);
                        }
                    });
            case Ending.Step.Over(ReplicaReply.Committed(VersionVector vector, long _)) ->
                    scheduler
                            .companionship()
                            .learn(vector, agreed -> then.accept(agreed ? true : null));
            case Ending.Step.Over _ -> {
                letGo();
                then.accept(false);
            }
        }
    }

    private void settle(
            Settlement settlement, Settlement.Step step, Consumer<@Nullable ReplicaReply> then) {
        switch (step) {
            case Settlement.Step.Ask() ->
                    scheduler.awaitMaster(c, now -> settle(settlement, now.orElse(null), then));
            case Settlement.Step.Pause(long millis) ->
                    after(millis, () -> settle(settlement, settlement.look(nowMillis()), then));
            case Settlement.Step.Told(ReplicaReply outcome) -> then.accept(outcome);
            case Settlement.Step.Forgotten() -> {
                tier.met("outcome forgotten");
                then.accept(null);
            }
            case Settlement.Step.Unknown() -> then.accept(null);
        }
    }

    private void settle(
            Settlement settlement,
            SchedulerNode.@Nullable Master now,
            Consumer<@Nullable ReplicaReply> then) {
        if (now == null) {
            settle(settlement, settlement.noMaster(), then);
            return;
        }
        Settlement.Question question = settlement.question(now.term(), nowMillis());
        scheduler.call(
                now.node(),
                new Requests.Outcome(c, question.term(), id, began),
                question.timeoutMillis(),
                answer ->
                        settle(
                                settlement,
                                answer.map(UpdateSession::reply)
                                        .map(settlement::answered)
                                        .orElseGet(settlement::lost),
                                then));
    }
}
