package org.quiredb.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.message.LoggerReply;
import org.quiredb.common.message.LoggerRequest;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.rpc.RpcPeer;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.CounterChange;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.master.commit.Inquiry;
import org.quiredb.master.commit.QueryLog;
import org.quiredb.master.lock.LockTable;
import org.quiredb.replica.page.PageWriter;
import org.quiredb.replica.tree.KeyRange;
import org.quiredb.replica.tree.KeySpace;
import org.quiredb.replica.tree.LockMode;
import org.quiredb.simulation.Requests.Reply;

/// Update transactions on a master: real locks and pages; sessions and the gate are modelled.
///
/// Threads: one.
final class Sessions {
    private static final int MAXIMUM_RANGES = 100;
    private static final long LOCK_WAIT_MICROS = 5_000_000;

    private static final class Transaction {
        final RpcPeer owner;
        final ConflictClass ofClass;
        final Map<Integer, PageWriter> writers = new TreeMap<>();
        final List<RowChange> changes = new ArrayList<>();
        @Nullable Runnable whenGranted;
        @Nullable Consumer<Reply> waiting;

        Transaction(RpcPeer owner, ConflictClass ofClass) {
            this.owner = owner;
            this.ofClass = ofClass;
        }
    }

    private final ReplicaNode node;
    private final SimulatedCommits commits;
    private final LockTable locks = new LockTable(MAXIMUM_RANGES);
    private final Map<Long, Transaction> open = new HashMap<>();
    private final Set<Long> settled = new HashSet<>();
    private final Set<ConflictClass> gates = new LinkedHashSet<>();

    Sessions(ReplicaNode node, SimulatedCommits commits) {
        this.node = node;
        this.commits = commits;
    }

    void update(RpcPeer owner, Requests.Update request, Consumer<Reply> reply) {
        Optional<Reply> refusal = refusal(request.ofClass(), request.term());
        if (refusal.isPresent()) {
            reply.accept(refusal.get());
            return;
        }
        Transaction transaction = open.get(request.transactionId());
        if (transaction == null) {
            if (!request.begins()) {
                reply.accept(Requests.refused(Reason.NOT_OPEN));
                return;
            }
            if (gates.contains(request.ofClass())) {
                node.after(5_000, () -> node.handle(owner, request, reply));
                return;
            }
            transaction = new Transaction(owner, request.ofClass());
            open.put(request.transactionId(), transaction);
        }
        run(request, transaction, reply);
    }

    private void run(Requests.Update request, Transaction transaction, Consumer<Reply> reply) {
        long id = request.transactionId();
        int key = request.statement().key();
        LockMode mode = request.statement().forUpdate() ? LockMode.READ_WRITE : LockMode.READ;
        LockTable.Answer answer =
                locks.request(
                        id,
                        KeySpace.rows(Content.tableId(key)),
                        KeyRange.locator(key % Content.KEYS_OF_SORT),
                        mode);
        switch (answer.outcome()) {
            case GRANTED -> reply.accept(execute(request, transaction));
            case DEADLOCK -> {
                rollBack(id);
                reply.accept(Requests.over(ErrorCode.DEADLOCK));
            }
            case WAITS -> {
                transaction.waiting = reply;
                transaction.whenGranted = () -> reply.accept(execute(request, transaction));
                node.after(
                        LOCK_WAIT_MICROS,
                        () -> {
                            if (open.get(id) == transaction && locks.waits(id)) {
                                over(id, Requests.over(ErrorCode.LOCK_WAIT_TIMEOUT));
                            }
                        });
            }
        }
        answer.granted().forEach(this::granted);
        answer.victims().forEach(victim -> over(victim, Requests.over(ErrorCode.DEADLOCK)));
    }

    private Reply execute(Requests.Update request, Transaction transaction) {
        int key = request.statement().key();
        PageWriter writer = transaction.writers.get(key);
        if (request.statement().value() != 0) {
            if (writer == null) {
                writer =
                        new PageWriter(
                                Content.pageId(key), node.store().readNewest(Content.pageId(key)));
                transaction.writers.put(key, writer);
            }
            Content.run(writer, key, request.statement().value());
            transaction.changes.add(Content.change(key, request.statement().value()));
        }
        byte[] page =
                writer == null ? node.store().readNewest(Content.pageId(key)) : writer.bytes();
        return new Requests.Values(Content.values(page));
    }

    private void granted(long id) {
        Transaction transaction = open.get(id);
        if (transaction != null && transaction.whenGranted != null) {
            Runnable next = transaction.whenGranted;
            transaction.whenGranted = null;
            transaction.waiting = null;
            node.after(
                    node.world.between(1, 50),
                    () -> {
                        if (open.get(id) == transaction) {
                            next.run();
                        }
                    });
        }
    }

    private void over(long id, Reply why) {
        Transaction transaction = open.get(id);
        Consumer<Reply> waiting = transaction == null ? null : transaction.waiting;
        rollBack(id);
        if (waiting != null) {
            waiting.accept(why);
        }
    }

    /// Answers when what the transaction may have seen is stable, which it need not become here.
    void rollBack(Requests.Rollback request, Consumer<Reply> reply) {
        rollBack(request.transactionId());
        if (!request.told()) {
            reply.accept(told(new ReplicaReply.RolledBack()));
        } else if (commits.mastery().served(request.ofClass()).isEmpty()) {
            reply.accept(Requests.refused(Reason.NOT_MASTER));
        } else {
            commits.awaitAllStable(
                    request.ofClass(),
                    stable ->
                            reply.accept(
                                    stable
                                            ? told(
                                                    new ReplicaReply.RolledBack(
                                                            commits.mastery().stableVector()))
                                            : stopped()));
        }
    }

    void rollBack(long id) {
        open.remove(id);
        locks.releaseAll(id).forEach(this::granted);
    }

    void commit(Requests.Commit request, Consumer<Reply> reply) {
        Optional<Reply> refusal = refusal(request.ofClass(), request.term());
        if (refusal.isPresent()) {
            reply.accept(refusal.get());
            return;
        }
        long id = request.transactionId();
        Transaction transaction = open.get(id);
        if (transaction == null || settled.contains(id)) {
            rollBack(id);
            reply.accept(Requests.refused(Reason.NOT_OPEN));
        } else if (transaction.writers.isEmpty()) {
            rollBack(id);
            commits.awaitAllStable(
                    transaction.ofClass,
                    stable ->
                            reply.accept(
                                    stable
                                            ? told(
                                                    new ReplicaReply.Committed(
                                                            commits.mastery().stableVector(), 0))
                                            : stopped()));
        } else {
            commit(id, transaction, reply);
        }
    }

    private void commit(long id, Transaction transaction, Consumer<Reply> reply) {
        ConflictClass c = transaction.ofClass;
        long[] numbered = new long[1];
        commits.commit(
                c,
                number -> {
                    numbered[0] = number;
                    return publish(id, transaction, number);
                },
                vector -> {
                    if (vector.isPresent()) {
                        node.watch().acknowledged(node, c, numbered[0], id, vector.get());
                        reply.accept(told(new ReplicaReply.Committed(vector.get(), 0)));
                    } else {
                        reply.accept(stopped());
                    }
                });
    }

    /// Of values, as if each were a row.
    private List<CounterChange> counters(Transaction transaction) {
        Map<Integer, Long> more = new TreeMap<>();
        transaction.writers.forEach((key, writer) -> {
            byte[] before = node.store().readNewest(Content.pageId(key));
            int rows = Content.values(writer.bytes()).size() - Content.values(before).size();
            more.merge(Content.tableId(key), (long) rows, Long::sum);
        });
        return more.entrySet().stream()
                .map(e -> new CounterChange(e.getKey(), e.getValue(), 0))
                .toList();
    }

    private WriteSet publish(long id, Transaction transaction, long number) {
        WriteSet writeSet =
                new WriteSet(
                        transaction.ofClass,
                        commits.mastery().epoch(),
                        number,
                        id,
                        transaction.writers.values().stream()
                                .map(w -> new PageChange(w.pageId(), w.operations()))
                                .toList(),
                        counters(transaction),
                        List.of(),
                        new Effects(RowChanges.of(transaction.changes)));
        node.note("commits t" + id + " as " + transaction.ofClass + " " + number);
        node.progress()
                .advance(
                        writeSet,
                        () -> {
                            transaction
                                    .writers
                                    .values()
                                    .forEach(w ->
                                            node.store().publish(w.pageId(), w.bytes(), number));
                            writeSet.counters()
                                    .forEach(c -> node.store().counters(c.tableId()).apply(c));
                        });
        rollBack(id);
        return writeSet;
    }

    void outcome(Requests.Outcome request, Consumer<Reply> reply) {
        Inquiry inquiry =
                new Inquiry(
                        node.progress(),
                        commits.mastery(),
                        request.ofClass(),
                        request.term(),
                        request.began());
        inquire(inquiry, inquiry.begin(), request.transactionId(), reply);
    }

    private void inquire(Inquiry inquiry, Inquiry.Step step, long id, Consumer<Reply> reply) {
        switch (step) {
            case Inquiry.Step.Close() -> {
                settled.add(id);
                inquire(inquiry, inquiry.closed(), id, reply);
            }
            case Inquiry.Step.AwaitSettled(ConflictClass c, long number) ->
                    commits.awaitSettled(
                            c,
                            number,
                            is -> {
                                if (is) {
                                    inquire(inquiry, inquiry.settled(), id, reply);
                                } else {
                                    reply.accept(stopped());
                                }
                            });
            case Inquiry.Step.Find(ConflictClass c, long after) ->
                    node.askLogger(
                            new LoggerRequest.FindTransaction(c, id, after),
                            5_000,
                            answer ->
                                    finding(answer.orElse(null))
                                            .ifPresentOrElse(
                                                    finding ->
                                                            inquire(
                                                                    inquiry,
                                                                    inquiry.found(finding),
                                                                    id,
                                                                    reply),
                                                    () -> reply.accept(stopped())));
            case Inquiry.Step.Answer(Inquiry.Outcome outcome) -> reply.accept(told(outcome));
        }
    }

    private static Optional<QueryLog.Finding> finding(@Nullable LoggerReply answer) {
        return switch (answer) {
            case LoggerReply.Found(var records) when records.isEmpty() ->
                    Optional.of(new QueryLog.Finding.NotCommitted());
            case LoggerReply.Found(var records) ->
                    Optional.of(new QueryLog.Finding.Committed(records.getFirst()));
            case LoggerReply.Forgotten() -> Optional.of(new QueryLog.Finding.Forgotten());
            case null, default -> Optional.empty();
        };
    }

    private Reply told(Inquiry.Outcome outcome) {
        VersionVector vector = commits.mastery().stableVector();
        return switch (outcome) {
            case Inquiry.Outcome.Committed _ -> told(new ReplicaReply.Committed(vector, 0));
            case Inquiry.Outcome.RolledBack() -> told(new ReplicaReply.RolledBack(vector));
            case Inquiry.Outcome.Forgotten() -> told(new ReplicaReply.Forgotten());
            case Inquiry.Outcome.Refused(Reason reason) -> Requests.refused(reason);
        };
    }

    private static Reply told(ReplicaReply reply) {
        return new Requests.Told(reply);
    }

    /// The replica cannot make anything stable any more.
    private static Reply stopped() {
        return Requests.over(ErrorCode.TIER_UNAVAILABLE);
    }

    private Optional<Reply> refusal(ConflictClass c, long term) {
        return commits.mastery().refusal(c, term).map(Requests::refused);
    }

    void letGo(ConflictClass c) {
        open.entrySet().stream()
                .filter(e -> e.getValue().ofClass.equals(c))
                .map(Map.Entry::getKey)
                .sorted()
                .toList()
                .forEach(id -> over(id, Requests.refused(Reason.NOT_MASTER)));
    }

    void disconnected(RpcPeer owner) {
        open.entrySet().stream()
                .filter(e -> e.getValue().owner.equals(owner))
                .map(Map.Entry::getKey)
                .sorted()
                .toList()
                .forEach(this::rollBack);
    }

    void close(ConflictClass c) {
        gates.add(c);
    }

    void reopen(ConflictClass c) {
        gates.remove(c);
    }

    boolean drained(ConflictClass c) {
        return open.values().stream().noneMatch(t -> t.ofClass.equals(c));
    }
}
