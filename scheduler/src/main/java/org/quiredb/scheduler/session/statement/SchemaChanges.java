package org.quiredb.scheduler.session.statement;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.Condition;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.message.ReplicaReply.Reason;
import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.scheduler.account.Need;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.cluster.CallLost;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.cluster.PartSink;
import org.quiredb.scheduler.cluster.ReplicaLink;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.FallbackBackend;
import org.quiredb.scheduler.replay.Attempts;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.ProgramWalk;
import org.quiredb.scheduler.session.state.ClientLimits;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.StatementCalls;
import org.quiredb.scheduler.session.state.Transaction.Update;
import org.quiredb.scheduler.session.transaction.FoundAsAsked;
import org.quiredb.scheduler.session.transaction.LostUnderWay;
import org.quiredb.scheduler.session.transaction.Masters;
import org.quiredb.scheduler.session.transaction.Reads;
import org.quiredb.sql.command.SchemaStatement;
import org.quiredb.sql.command.SetReader;
import org.quiredb.sql.command.TriggerStatement;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// DDL, on the master of the class that it changes.
///
/// Threads: owned by the session's thread.
final class SchemaChanges {
    private static final long SCHEMA_TIMEOUT_MILLIS = 3_600_000;

    /// All updates of the master wait meanwhile, and give up after some seconds.
    private static final long LONGEST_TRY_SECONDS = 2;

    private static final long BETWEEN_TRIES_MILLIS = 100;

    /// That a change is found to be of, one after the other, while classes are given away.
    private static final int MOST_CLASSES = 7;

    /// What a session has set that decides what a schema change makes. Anything else, a limit to
    /// its memory for one, would hold for the appliers' own work, too.
    private static final Set<String> OF_SCHEMAS =
            Set.of(
                    "names",
                    "character",
                    "character_set_client",
                    "character_set_collations",
                    "character_set_connection",
                    "character_set_results",
                    "character_set_server",
                    "check_constraint_checks",
                    "collation_connection",
                    "collation_server",
                    "default_collation_for_utf8mb4",
                    "default_storage_engine",
                    "default_week_format",
                    "div_precision_increment",
                    "explicit_defaults_for_timestamp",
                    "foreign_key_checks",
                    "group_concat_max_len",
                    "innodb_strict_mode",
                    "lc_time_names",
                    "lock_wait_timeout",
                    "note_verbosity",
                    "old_mode",
                    "sql_generate_invisible_primary_key",
                    "sql_mode",
                    "sql_notes",
                    "sql_require_primary_key",
                    "storage_engine",
                    "system_versioning_alter_history",
                    "time_zone",
                    "timestamp",
                    "unique_checks");

    private final Cluster cluster;
    private final FallbackBackend backend;
    private final boolean mariaDb;
    private final Masters masters;
    private final LostUnderWay lost;
    private final SessionState state;
    private final ClientLimits limits;
    private final FoundAsAsked found;

    SchemaChanges(Services services, SessionState state, Reads reads, Fallback fallback) {
        this.cluster = services.cluster();
        this.backend = services.backend();
        this.mariaDb = services.mariaDb();
        this.masters = new Masters(services);
        this.lost = new LostUnderWay(cluster, state.losses());
        this.state = state;
        this.limits = services.limits();
        found = new FoundAsAsked(services, state, reads, fallback);
    }

    /// A CREATE TABLE ... SELECT, or ... VALUES, runs what it calls.
    private void requireReading(Tokens tokens) {
        boolean ofTable = IntStream.range(1, 4).anyMatch(i -> tokens.is(i, "TABLE"));
        boolean queries =
                IntStream.range(0, tokens.size())
                        .anyMatch(i -> tokens.is(i, "SELECT") || tokens.is(i, "VALUES"));
        if (tokens.is(0, "CREATE") && ofTable && queries) {
            Set<String> moved =
                    ProgramWalk.called(
                                    tokens,
                                    true,
                                    state.database(),
                                    mariaDb,
                                    cluster::catalogue,
                                    backend::routines)
                            .map(ProgramWalk::requireReading)
                            .orElse(Set.of());
            if (!moved.isEmpty()) { // it runs in no session of the client's
                throw new QuireException(
                        ErrorCode.NOT_SUPPORTED_YET,
                        "Quire does not support a stored function with user variables in CREATE TABLE");
            }
        }
    }

    void run(Classification.SchemaChange change, ClientStatement statement, Output output) {
        Optional<Condition> note = found.note(statement);
        if (note.isEmpty()) {
            change(change, statement, output);
            backend.settings().clear(); // a database may be gone
            return;
        }
        state.diagnostics().warned(List.of(note.get()));
        output.ok(0, 0, state.statusFlags(statement.moreResults()), 1, "");
    }

    private void change(
            Classification.SchemaChange change, ClientStatement statement, Output output) {
        long waitSeconds = limits.schemaWait().toSeconds();
        Tokens tokens = statement.tokens();
        requireShortWait(tokens, waitSeconds);
        requireReading(tokens);
        List<String> settings =
                settings(
                        state.settings(),
                        change.needs().equals(Need.EVERYTHING),
                        Math.min(waitSeconds, LONGEST_TRY_SECONDS));
        if (state.zoned() == null && !backend.isUtc()) {
            settings.addFirst("SET time_zone = DEFAULT"); // the tier's own is UTC
        }
        OptionalLong asked = askedWait(tokens, state.settings());
        long deadlineNanos =
                System.nanoTime()
                        + TimeUnit.SECONDS.toNanos(
                                Math.min(asked.orElse(waitSeconds), waitSeconds));
        if (statement.ofSession()) {
            state.values().forEach((name, value) -> settings.add("SET " + name + " = " + value));
        }
        cluster.awaitReady();
        ConflictClass conflictClass =
                cluster.catalogue()
                        .classOf(
                                change.database().isEmpty() ? state.database() : change.database());
        // A database may not be there before or after.
        String database = change.changesDatabase() ? "" : state.database();
        String sql =
                guarded(Tokens.of(Definer.in(tokens, state.login().account())).plain())
                        .withoutLeadingComments();
        SchemaNames names = names(change, tokens);
        boolean rebuilds = SchemaStatement.rebuilds(tokens);
        Attempts attempts = new Attempts(state.losses());
        int classes = 0;
        while (true) {
            Update update = masters.begin(conflictClass);
            long waitMillis =
                    asked.isEmpty()
                            ? ReplicaRequest.USUAL_WAIT
                            : Math.max(
                                    0,
                                    TimeUnit.NANOSECONDS.toMillis(
                                            deadlineNanos - System.nanoTime()));
            ReplicaReply reply =
                    askForSchema(update, waitMillis, database, sql, settings, names, rebuilds);
            if (reply instanceof ReplicaReply.OfClass(ConflictClass of)
                    && ++classes < MOST_CLASSES) {
                conflictClass = of;
                continue;
            }
            boolean waited =
                    reply instanceof ReplicaReply.Failed f
                            && f.number() == ErrorCode.LOCK_WAIT_TIMEOUT.number();
            if (waited && System.nanoTime() < deadlineNanos) {
                attempts = new Attempts(state.losses());
                StatementCalls.pause(BETWEEN_TRIES_MILLIS);
                continue;
            }
            Attempts.Step step = attempts.answered(reply, true, false, Masters.nowMillis());
            if (!(step instanceof Attempts.Step.Again(long pauseMillis))) {
                schemaChanged(reply, update.conflictClass(), statement, output);
                break;
            }
            StatementCalls.pause(pauseMillis);
        }
        if (change.changesDatabase()
                && change.names().drops()
                && change.database().equals(state.database())) {
            state.database("");
        }
    }

    private static Tokens guarded(Tokens tokens) {
        return TriggerStatement.of(tokens)
                .map(trigger -> Tokens.of(trigger.guarded()).plain())
                .orElse(tokens);
    }

    /// DROP TRIGGER does not say of which table it is.
    private SchemaNames names(Classification.SchemaChange change, Tokens tokens) {
        TriggerStatement trigger = TriggerStatement.of(tokens).orElse(null);
        if (trigger == null || !trigger.drops()) {
            return change.names();
        }
        TableName name = trigger.name().in(state.database());
        return cluster.catalogue().tables(name.database()).stream()
                .map(CatalogueEntry::definition)
                .filter(table ->
                        table.triggers().stream()
                                .anyMatch(one -> one.name().equalsIgnoreCase(name.name())))
                .findFirst()
                .map(table ->
                        change.names().with(new SchemaNames.Name(table.schema(), table.name())))
                .orElse(change.names());
    }

    /// They are made by Quire's own account, by every applier and while all updates wait: an
    /// expression, which could ask for what the client may not see, or come to something else each
    /// time, or to no end, is for clients only who may do everything. Nobody makes all wait for
    /// longer than the limit.
    static List<String> settings(List<String> ofSession, boolean everything, long waitSeconds) {
        List<String> settings = new ArrayList<>();
        ofSession.stream()
                .filter(SchemaChanges::isOfSchemas)
                .filter(setting -> everything || isConstant(setting))
                .forEach(settings::add);
        settings.add( // LEAST of an unsigned and a signed number is a DECIMAL to MySQL: 1232
                "SET lock_wait_timeout = CAST(LEAST(@@lock_wait_timeout, %d) AS UNSIGNED)"
                        .formatted(waitSeconds));
        return settings;
    }

    /// Character sets are several assignments.
    private static boolean isConstant(String setting) {
        return SetReader.of(Tokens.of(setting)).stream()
                .allMatch(one -> SetReader.isConstant(Tokens.of("SET " + one.text())));
    }

    private static boolean isOfSchemas(String setting) {
        Tokens tokens = Tokens.of(setting).plain();
        int equals = 1;
        while (equals < tokens.size() && !tokens.is(equals, '=')) {
            equals++;
        }
        boolean ofUser = tokens.is(1, '@') && !tokens.is(2, '@');
        int named = tokens.is(equals - 1, ':') ? equals - 2 : equals - 1;
        String name = tokens.name(equals < tokens.size() ? named : 1).toLowerCase(Locale.ROOT);
        return ofUser || OF_SCHEMAS.contains(name);
    }

    /// The seconds that it may wait for others, as its own WAIT or NOWAIT says, which comes before
    /// any setting, or the session by a number.
    static OptionalLong askedWait(Tokens tokens, List<String> ofSession) {
        OptionalLong seconds = ownWait(tokens);
        if (seconds.isPresent()) {
            return seconds;
        }
        for (String setting : ofSession) {
            Tokens words = Tokens.of(setting).plain();
            for (int i = 0; i < words.size(); i++) {
                if (words.name(i).equalsIgnoreCase("lock_wait_timeout")) {
                    seconds = seconds(words, words.size() - 1);
                }
            }
        }
        return seconds;
    }

    /// It stands at the end, and in an ALTER TABLE, a CREATE INDEX or a RENAME behind the table's
    /// name. Elsewhere both words are names.
    private static OptionalLong ownWait(Tokens tokens) {
        int end = tokens.size();
        while (end > 1
                && (tokens.is(end - 1, ';')
                        || tokens.is(end - 1, "RESTRICT")
                        || tokens.is(end - 1, "CASCADE"))) {
            end--;
        }
        for (int i = 3; i < end; i++) {
            boolean none = tokens.is(i, "NOWAIT");
            int next = none ? i + 1 : i + 2;
            boolean inPlace =
                    tokens.is(0, "ALTER")
                            ? isBehindAltered(tokens, i)
                            : next == end || tokens.is(next, '(') || tokens.is(next, "TO");
            if (inPlace && !isName(tokens, i)) {
                if (none) {
                    return OptionalLong.of(0);
                }
                OptionalLong seconds =
                        tokens.is(i, "WAIT") ? seconds(tokens, i + 1) : OptionalLong.empty();
                if (seconds.isPresent()) {
                    return seconds;
                }
            }
        }
        return OptionalLong.empty();
    }

    private static boolean isName(Tokens tokens, int at) {
        boolean creates =
                tokens.is(0, "CREATE")
                        && IntStream.range(1, 5).noneMatch(i -> tokens.is(i, "INDEX"));
        return creates
                || tokens.is(at - 1, ',')
                || tokens.is(at - 1, "EXISTS")
                || tokens.is(at - 1, "ON");
    }

    private static boolean isBehindAltered(Tokens tokens, int at) {
        int name = tokens.is(at - 2, '.') ? at - 3 : at - 1;
        return tokens.is(name - 1, "TABLE") || tokens.are(name - 3, "TABLE", "IF", "EXISTS");
    }

    private static OptionalLong seconds(Tokens tokens, int at) {
        return at < tokens.size()
                        && tokens.get(at) instanceof Token.Constant number
                        && number.value() instanceof SqlValue.IntegerValue(long asked, boolean huge)
                        && !huge
                ? OptionalLong.of(asked)
                : OptionalLong.empty();
    }

    /// MariaDB's WAIT comes before any setting.
    static void requireShortWait(Tokens tokens, long waitSeconds) {
        for (int i = 1; i < tokens.size(); i++) {
            boolean wait = tokens.is(i - 1, "WAIT");
            if (wait
                    && tokens.get(i) instanceof Token.Constant number
                    && !(number.value() instanceof SqlValue.StringValue)
                    && !isAtMost(waitSeconds, number)) {
                throw new QuireException(
                        ErrorCode.NOT_SUPPORTED_YET,
                        "Quire does not support WAIT of more than %d seconds (scheduler.limits.schemaWaitSeconds)"
                                .formatted(waitSeconds));
            }
        }
    }

    private static boolean isAtMost(long most, Token.Constant number) {
        return number.value() instanceof SqlValue.IntegerValue(long seconds, boolean huge)
                && !huge
                && seconds <= most;
    }

    private ReplicaReply askForSchema(
            Update asked,
            long waitMillis,
            String database,
            String sql,
            List<String> settings,
            SchemaNames names,
            boolean rebuilds) {
        ReplicaRequest request =
                new ReplicaRequest.ChangeSchema(
                        asked.conflictClass(),
                        masters.term(asked),
                        asked.transactionId(),
                        waitMillis,
                        database,
                        sql,
                        settings,
                        names,
                        rebuilds);
        try {
            ReplicaReply reply =
                    cluster.link(asked.master())
                            .call(request, PartSink.NONE, SCHEMA_TIMEOUT_MILLIS);
            return Attempts.isOpen(reply)
                    ? masters.outcome(asked, new CallLost(reply.toString()))
                    : reply;
        } catch (CallLost e) {
            lost.met(e, "a schema change");
            return masters.outcome(asked, e);
        }
    }

    private void schemaChanged(
            ReplicaReply reply,
            ConflictClass conflictClass,
            ClientStatement statement,
            Output output) {
        ReplicaLink link = cluster.awaitMaster(conflictClass).link();
        switch (reply) {
            case ReplicaReply.Committed(var vector, long catalogueVersion) -> {
                cluster.learnSchema(link, vector, catalogueVersion);
                output.ok(0, 0, state.statusFlags(statement.moreResults()), 0, "");
            }
            case ReplicaReply.Updated u -> {
                cluster.learnSchema(link, u.vector(), u.catalogueVersion());
                state.diagnostics().warned(u.conditions());
                output.ok(
                        u.affectedRows(),
                        0,
                        state.statusFlags(statement.moreResults()),
                        u.warnings(),
                        u.info());
            }
            case ReplicaReply.Failed f -> {
                cluster.catchUp(link); // it may have stopped half-way
                throw new StatementFailed(f.number(), f.sqlState(), f.message());
            }
            case ReplicaReply.RolledBack r -> {
                lost.require();
                throw Masters.lost("masters are lost faster than it runs");
            }
            case ReplicaReply.Refused(Reason reason, long epoch, String detail) ->
                    throw new QuireException(
                            ErrorCode.TIER_UNAVAILABLE,
                            "schema not changed: " + reason + " " + detail);
            case ReplicaReply other ->
                    throw new IllegalStateException("DDL is answered by " + other);
        }
    }
}
