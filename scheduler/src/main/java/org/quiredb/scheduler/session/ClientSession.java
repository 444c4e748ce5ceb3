package org.quiredb.scheduler.session;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.SchedulerReply;
import org.quiredb.common.message.SchedulerRequest;
import org.quiredb.scheduler.account.Login;
import org.quiredb.scheduler.characters.CharacterSet;
import org.quiredb.scheduler.characters.CharacterSets;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.setting.OwnLimit;
import org.quiredb.scheduler.session.state.AnswerTally;
import org.quiredb.scheduler.session.state.Client;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Description;
import org.quiredb.scheduler.session.state.Kept;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.StatementTimes;
import org.quiredb.scheduler.session.state.Transaction;
import org.quiredb.scheduler.session.statement.AtOnce;
import org.quiredb.scheduler.session.statement.SessionParts;
import org.quiredb.scheduler.session.statement.Statements;
import org.quiredb.scheduler.statement.StatementKind;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// A client's session: its statements run one after the other, each counted, and stopped where it
/// takes too long or is killed.
///
/// Errors come out as QuireException or StatementFailed; the session goes on after them.
///
/// Threads: owned by the connection's virtual thread, or by its event loop while that thread waits
/// for a command.
public final class ClientSession implements AutoCloseable {
    private static final byte[] NOTHING = {};

    private final Services services;
    private final Clients clients;
    private final Client client;
    private final Interruption interruption;

    /// Since when, 0 while a command runs.
    private volatile long idle;

    private final Kept kept;
    private final SessionState state;
    private final SessionParts parts;
    private final Statements statements;
    private final AtOnce atOnce;
    private boolean ended;

    /// The statement that it runs or has run.
    private volatile Last last = new Last("", "", System.nanoTime());

    /// @param text without its constants
    /// @param sent with them, or as much of it as others are shown
    private record Last(String text, String sent, long startNanos) {
        private static final int SHOWN_CHARACTERS = 8 * 1024;

        static Last of(String text, String sent, long startNanos) {
            return new Last(
                    text,
                    sent.length() <= SHOWN_CHARACTERS ? sent : sent.substring(0, SHOWN_CHARACTERS),
                    startNanos);
        }
    }

    public ClientSession(Services services, Clients clients, Client client) {
        this.services = services;
        this.clients = clients;
        this.client = client;
        interruption = new Interruption(services.clock(), services.mariaDb());
        kept = new Kept(clients.kept(), services.limits().packetBytes());
        state = new SessionState(client.login(), kept, services.isolation());
        parts = new SessionParts(services, state, client, kept, this::execute);
        statements = new Statements(parts, this::kill);
        atOnce = new AtOnce(parts, statements, this::answer);
        clients.add(client.id(), this);
    }

    /// The client's connection has ended: nobody waits for what runs. Threads: any; does not block.
    public void clientGone() {
        interruption.stop(Interruption.Reason.GONE);
    }

    /// Between two commands, or not any more.
    public void idle(boolean begins) {
        idle = begins ? System.nanoTime() | 1 : 0;
    }

    /// Ends the connection of a client that has been idle for too long. Threads: any.
    void expire(long nowNanos) {
        long since = idle;
        if (since != 0 && nowNanos - since > parts.settings().waitNanos()) {
            client.idledOut().accept(services.mariaDb());
        }
    }

    /// What the client does. Threads: any.
    Doing doing() {
        Last known = last;
        long idleSince = idle;
        long since = idleSince == 0 ? known.startNanos : idleSince;
        return new Doing(
                client.id(),
                client.login().name(),
                known.text,
                idleSince == 0,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
    }

    /// What the client is and does, as a process list shows it. Threads: any.
    SchedulerReply.ClientProcess process() {
        Doing doing = doing();
        boolean runs = doing.runs() && !last.sent.isEmpty();
        return new SchedulerReply.ClientProcess(
                client.id(),
                user(),
                client.address(),
                state.database(),
                runs,
                runs ? last.sent : "",
                doing.millis());
    }

    /// Ends a client's statement, or its connection too.
    ///
    /// @throws StatementFailed which is the last that a client gets who ends its own connection
    /// @throws QuireException with 1094 when no scheduler has such a client, 1095 when it is
    ///   another's, TIER_UNAVAILABLE when its scheduler does not answer
    public void kill(long id, boolean statementOnly) {
        if (id != (int) id) {
            throw Clients.unknown(id);
        }
        if (id == client.id() && !statementOnly) {
            ended = true;
            throw services.mariaDb()
                    ? new StatementFailed(1927, "70100", "Connection was killed")
                    : new StatementFailed(1317, "70100", "Query execution was interrupted");
        }
        SchedulerRequest.Kill kill =
                new SchedulerRequest.Kill(
                        (int) id, statementOnly, parts.permissions().overAnybody(), user());
        SchedulerReply reply = clients.killed(kill);
        if (isUnknown(reply)) {
            reply =
                    services.cluster()
                            .companions()
                            .ask(kill, r -> !isUnknown(r) && !(r instanceof SchedulerReply.Failed))
                            .filter(other -> !isUnknown(other))
                            .orElse(reply);
        }
        switch (reply) {
            case SchedulerReply.Done() -> {}
            case SchedulerReply.Refused(int error, String message) ->
                    throw new StatementFailed(error, "HY000", message);
            case SchedulerReply other ->
                    throw new QuireException(
                            ErrorCode.TIER_UNAVAILABLE,
                            "a scheduler cannot tell whether it has client " + id + ": " + other);
        }
        StopSignal.current().check(); // it may have been this one
    }

    /// Whether it has ended its own connection.
    public boolean ended() {
        return ended;
    }

    private static boolean isUnknown(SchedulerReply reply) {
        return reply instanceof SchedulerReply.Refused(int error, String _)
                && error == ErrorCode.UNKNOWN_THREAD.number();
    }

    String user() {
        return state.login().account().user();
    }

    /// Its statement, or its connection too. Threads: any.
    void end(boolean statementOnly) {
        if (!statementOnly) { // before its statement's error could go out
            client.hangUp().run();
        }
        interruption.stop(Interruption.Reason.KILLED);
    }

    /// What `mysqladmin status` shows.
    public String statistics() {
        return clients.statistics();
    }

    /// The character set that the client says it speaks when it comes.
    ///
    /// @param collation the number of one of its collations
    public void speaks(int collation) {
        state.speaks(CharacterSet.ofCollation(collation).orElse(null));
    }

    /// Of what the client sends.
    public CharacterSet characters() {
        return state.characters();
    }

    /// Null where everything that it sends and gets is UTF-8.
    public @Nullable CharacterSets characterSets() {
        return state.characterSets();
    }

    /// The current one; empty for none.
    public String database() {
        return state.database();
    }

    /// A text of the client's as it is to be read, whatever the session's modes are.
    public String asRead(String sql) {
        return state.asRead(sql);
    }

    /// The statements of a text, each to be read when its turn comes, in the modes of then.
    public List<String> statements(String text) {
        return Tokens.statements(text, state.escapes());
    }

    public int statusFlags() {
        return state.statusFlags(false);
    }

    /// What MariaDB's extended metadata say of a table's column; empty for nothing. Does not block.
    public byte[] extendedType(String schema, String table, String column) {
        return services.cluster()
                .knownCatalogue()
                .table(new TableName(schema, table))
                .map(known -> ExtendedType.of(known.definition(), column))
                .orElse(NOTHING);
    }

    /// What is kept for this client.
    public Kept kept() {
        return kept;
    }

    public void execute(ClientStatement sent, Output output) {
        long start = System.nanoTime();
        statements.requireShallow(sent.nesting());
        Optional<OwnLimit> limit =
                services.mariaDb() ? OwnLimit.of(sent.tokens()) : Optional.empty();
        if (limit.isPresent()) {
            execute(limit.get(), sent, output);
            return;
        }
        ClientStatement statement = statements.filled(sent);
        Classification kind = statements.classified(statement);
        if (kind instanceof Classification.Execute execute) {
            ClientStatement prepared = statements.prepared(execute, sent);
            inItsDatabase(
                    prepared, () -> run(statements.classified(prepared), prepared, start, output));
        } else {
            inItsDatabase(statement, () -> run(kind, statement, start, output));
        }
    }

    private void execute(OwnLimit limit, ClientStatement sent, Output output) {
        ClientStatement rest =
                ClientStatement.of(
                        limit.sql(), sent.bound(), sent.binaryRows(), sent.moreResults());
        ClientStatement statement =
                sent.database() == null ? rest : rest.preparedIn(sent.database());
        parts.settings().during(limit, () -> execute(statement, output));
    }

    /// What was prepared names tables of the database that was the current one then.
    private void inItsDatabase(ClientStatement statement, Runnable work) {
        if (!statements.isElsewhere(statement)) {
            work.run();
            return;
        }
        String prepared = Objects.requireNonNull(statement.database());
        String before = state.database();
        state.database(prepared);
        try {
            work.run();
        } finally {
            if (state.database().equals(prepared)) { // else it was a USE
                state.database(before);
            }
        }
    }

    private void run(Classification kind, ClientStatement statement, long start, Output output) {
        String shown =
                StatementTimes.isUnderstood(kind)
                        ? statement.normalized().text()
                        : "(not understood)";
        last = Last.of(shown, StatementTimes.isUnderstood(kind) ? statement.sql() : shown, start);
        StatementKind told = StatementTimes.kind(kind, state.transaction());
        boolean done = false;
        parts.fallback().begins();
        state.losses().begin();
        state.diagnostics().begins(namesTables(kind));
        AnswerTally tally = new AnswerTally(output);
        try {
            if (parts.programs().any()) { // it is stopped with what it is a part of
                statements.execute(kind, statement, tally);
            } else {
                interruption.during(
                        limitMillis(kind), () -> statements.execute(kind, statement, tally));
            }
            boolean asked = kind instanceof Classification.Conditions;
            state.diagnostics().answered(tally, statement.skipped(), !asked);
            done = true;
        } finally {
            parts.temporary().settle(state.inTransaction());
            services.times().of(kind).recordSince(start);
            services.book()
                    .add(shown, told, System.nanoTime() - start, parts.fallback().reason(), !done);
        }
    }

    private static boolean namesTables(Classification kind) {
        return switch (kind) {
            case Classification.Read _,
                    Classification.Update _,
                    Classification.Load _,
                    Classification.SchemaChange _,
                    Classification.Call _ ->
                    true;
            case Classification.Information(boolean afterEverything) -> afterEverything;
            default -> false;
        };
    }

    private long limitMillis(Classification kind) {
        return switch (kind) {
            case Classification.Read _, Classification.Information _ ->
                    state.statementLimitMillis(false);
            case Classification.Update _, Classification.Load _, Classification.Call _ ->
                    state.statementLimitMillis(true);
            default -> 0;
        };
    }

    /// A command has failed, whatever it was: what SHOW WARNINGS shows next.
    public void failed(int number, String message) {
        state.diagnostics().failed(number, message);
    }

    /// Runs a statement on this thread, which it does not block, if it is known to be one that
    /// needs nobody, or nobody but a replica of this process: a short read, the begin of a
    /// transaction, the end of one that only such reads were made in. Anything else is left to
    /// {@link #execute}, as if it had not been asked for.
    ///
    /// @return whether it was run
    public boolean executeNow(ClientStatement statement, Output output) {
        long start = System.nanoTime();
        Classification kind = services.classifier().known(statement.normalized().text());
        if (kind == null || !atOnce.may()) {
            return false;
        }
        Transaction within = state.transaction();
        AnswerTally tally = new AnswerTally(output);
        boolean done = atOnce.run(kind, statement, tally);
        if (done) {
            String text = statement.normalized().text();
            last = Last.of(text, statement.sql(), start);
            state.diagnostics().begins(namesTables(kind));
            state.diagnostics().answered(tally, statement.skipped(), true);
            services.times().of(kind).recordSince(start);
            services.book()
                    .add(
                            text,
                            StatementTimes.kind(kind, within),
                            System.nanoTime() - start,
                            "",
                            false);
        }
        return done;
    }

    /// @throws StatementFailed as of the backend where the tier does not know the database
    public void use(String database) {
        statements.use(database);
    }

    /// What a statement would answer with, and how many parameters it has.
    public Description describe(String sql) {
        return statements.describe(sql);
    }

    /// The silence of its client begins anew.
    private void answer(Runnable answer) {
        idle(false);
        answer.run();
        idle(true);
    }

    /// COM_CHANGE_USER: as after connecting anew.
    public void become(Login login) {
        reset();
        state.become(login);
    }

    /// COM_RESET_CONNECTION.
    public void reset() {
        parts.reset();
    }

    @Override
    public void close() {
        clients.remove(client.id());
        parts.close();
    }
}
