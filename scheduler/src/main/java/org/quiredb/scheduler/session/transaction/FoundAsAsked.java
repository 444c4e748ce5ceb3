package org.quiredb.scheduler.session.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.Condition;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.ReadView;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// CREATE ... IF NOT EXISTS of what is there, and DROP ... IF EXISTS of what is not, which
/// installers send by the hundred at each start: nobody has to wait for them.
///
/// Invariant: what is told is how things stand at a moment within the statement. A table is there
/// if a replica reads it at a tag, as any read does. It is not where the catalogue, which covers
/// what anybody has been shown, has none and afterwards the backend, where a change is made before
/// it is anywhere else, has none either: then one that is under way there is not of this table. The
/// same holds for databases.
///
/// What is not told apart here is a schema change as any other.
///
/// Threads: owned by the session's thread.
public final class FoundAsAsked {
    private static final Pattern USUAL_NAME = Pattern.compile("[A-Za-z0-9_$-]{1,64}");

    private final Services services;
    private final SessionState state;
    private final Reads reads;
    private final Fallback fallback;

    public FoundAsAsked(Services services, SessionState state, Reads reads, Fallback fallback) {
        this.services = services;
        this.state = state;
        this.reads = reads;
        this.fallback = fallback;
    }

    /// @return the note that is all there is to say; empty where there may be more to do
    public Optional<Condition> note(ClientStatement statement) {
        Tokens tokens = statement.tokens();
        boolean creates = tokens.is(0, "CREATE");
        boolean asks = creates || tokens.is(0, "DROP");
        int at = creates ? 5 : 4;
        boolean depends =
                creates ? tokens.are(2, "IF", "NOT", "EXISTS") : tokens.are(2, "IF", "EXISTS");
        if (!asks
                || !depends
                || tokens.dependsOnVersion()
                || !services.mariaDb() // whose counts and words these are
                || state.settings().stream().anyMatch(FoundAsAsked::isOfNotes)) {
            return Optional.empty();
        }
        boolean ofTables = tokens.is(1, "TABLE") || (!creates && tokens.is(1, "TABLES"));
        boolean ofDatabase = tokens.is(1, "DATABASE") || tokens.is(1, "SCHEMA");
        try {
            if (!fallback.settings().lettersDiffer()) { // names are told in other letters
                return Optional.empty();
            }
            services.cluster().awaitReady();
            return ofTables
                    ? creates ? created(tokens, at, statement) : dropped(tokens, at)
                    : ofDatabase ? database(tokens, at, creates, statement) : Optional.empty();
        } catch (QuireException | StatementFailed e) {
            StopSignal.current().check();
            return Optional.empty(); // the change says the same, or does better
        }
    }

    private static boolean isOfNotes(String setting) {
        return Tokens.mentions(setting, "note");
    }

    private Optional<Condition> created(Tokens tokens, int at, ClientStatement statement) {
        boolean computes =
                tokens.has("SELECT")
                        || tokens.has("VALUES")
                        || tokens.has("LIKE")
                        || tokens.has("WITH");
        Optional<TableName> name = name(tokens, at);
        if (computes
                || ofAnyEngine(tokens)
                || name.isEmpty()
                || !isHeld(name.get())
                || !isShown(name.get())) {
            return Optional.empty();
        }
        requireText(statement);
        return Optional.of(note(1050, "Table '%s' already exists".formatted(name.get().name())));
    }

    /// A server that only reads a text does not look whether it has the engine.
    private static boolean ofAnyEngine(Tokens tokens) {
        return IntStream.range(0, tokens.size())
                .filter(i -> tokens.is(i, "ENGINE"))
                .anyMatch(i -> !tokens.is(tokens.is(i + 1, '=') ? i + 2 : i + 1, "INNODB"));
    }

    private Optional<Condition> dropped(Tokens tokens, int at) {
        List<TableName> names = new ArrayList<>();
        int next = at;
        for (boolean more = true; more; next++) {
            Optional<TableName> name = name(tokens, next);
            if (name.isEmpty()) {
                return Optional.empty();
            }
            names.add(name.get());
            next += tokens.is(next + 1, '.') ? 3 : 1;
            more = tokens.is(next, ',');
        }
        int last = next - 1;
        if (tokens.is(last, "RESTRICT") || tokens.is(last, "CASCADE")) {
            last++;
        }
        boolean ends = last == tokens.size() || (last + 1 == tokens.size() && tokens.is(last, ';'));
        if (!ends || !names.stream().allMatch(this::isNowhere)) {
            return Optional.empty();
        }
        String all =
                names.stream()
                        .map(name -> name.database() + "." + name.name())
                        .collect(Collectors.joining(","));
        return Optional.of(note(1051, "Unknown table '%s'".formatted(all)));
    }

    private Optional<Condition> database(
            Tokens tokens, int at, boolean creates, ClientStatement statement) {
        String name = tokens.name(at);
        boolean ends =
                at + 1 == tokens.size() || (at + 2 == tokens.size() && tokens.is(at + 1, ';'));
        boolean known = services.cluster().catalogue().hasSchema(name);
        boolean sound = USUAL_NAME.matcher(name).matches(); // others may be none
        if (!sound || known != creates || (!creates && !ends) || isThere(name) != creates) {
            return Optional.empty();
        }
        requireText(statement);
        return Optional.of(
                creates
                        ? note(1007, "Can't create database '%s'; database exists".formatted(name))
                        : note(
                                1008,
                                "Can't drop database '%s'; database doesn't exist"
                                        .formatted(name)));
    }

    private Optional<TableName> name(Tokens tokens, int at) {
        boolean qualified = tokens.is(at + 1, '.');
        if (!tokens.isName(at) || (qualified && !tokens.isName(at + 2))) {
            return Optional.empty();
        }
        TableName name =
                qualified
                        ? new TableName(tokens.name(at), tokens.name(at + 2))
                        : new TableName("", tokens.name(at)).in(state.database());
        return name.database().isEmpty() ? Optional.empty() : Optional.of(name);
    }

    /// In these letters.
    private boolean isHeld(TableName name) {
        return services.cluster()
                .catalogue()
                .table(name)
                .map(CatalogueEntry::definition)
                .filter(table ->
                        table.schema().equals(name.database()) && table.name().equals(name.name()))
                .isPresent();
    }

    private boolean isShown(TableName name) {
        Set<TableName> tables = Set.of(name);
        try (ReadView view = reads.view(tables, "")) {
            return reads.onReplicas(
                    view,
                    tables,
                    ClientStatement.of(
                            "SELECT 1 FROM %s LIMIT 0".formatted(quoted(name)),
                            List.of(),
                            false,
                            true),
                    Output.NOWHERE);
        }
    }

    private boolean isNowhere(TableName name) {
        boolean known =
                services.cluster().catalogue().tables(name.database()).stream()
                        .anyMatch(table -> table.definition().name().equalsIgnoreCase(name.name()));
        if (known) {
            return false;
        }
        try {
            fallback.requireTable(name);
            return false;
        } catch (StatementFailed e) {
            return e.number() == ErrorCode.NO_SUCH_TABLE.number();
        }
    }

    /// Who may make or drop it sees it.
    private boolean isThere(String database) {
        String asked = // not case by case: a server looks for the one, and does not list all
                "SELECT MAX(SCHEMA_NAME) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = '%s'"
                        .formatted(database);
        return database.equals(services.backend().values(fallback.session(), asked).getFirst());
    }

    /// A server finds mistakes first, whatever is there.
    private void requireText(ClientStatement statement) {
        services.backend().read(fallback.session(), statement.sql());
    }

    private static String quoted(TableName name) {
        return "`%s`.`%s`"
                .formatted(name.database().replace("`", "``"), name.name().replace("`", "``"));
    }

    private static Condition note(int number, String message) {
        return new Condition(Condition.NOTE, number, message);
    }
}
