package org.quiredb.scheduler.session.evaluate;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.backend.BackendModes;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.ProgramWalk;
import org.quiredb.scheduler.session.backend.SessionText;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Collected;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.Transaction.Open;
import org.quiredb.scheduler.session.state.UserVariable;
import org.quiredb.scheduler.session.transaction.MasterStatements;
import org.quiredb.scheduler.session.transaction.OneStatement;
import org.quiredb.scheduler.session.transaction.Transactions;
import org.quiredb.sql.command.SessionTerms;
import org.quiredb.sql.command.SessionTerms.Known;
import org.quiredb.sql.command.SessionTerms.Term;
import org.quiredb.sql.tree.TableName;

/// Rows that are added with what functions give that change others, as the numbers that they count.
/// The functions are called first ({@link CalledFirst}), and memory adds the rows: of their table
/// nothing else is locked, and it may be of any size.
///
/// Threads: owned by the session's thread.
public final class FunctionValues {
    private static final int BINARY = 63;
    private static final Pattern BYTES =
            Pattern.compile("(var)?binary|\\w*blob", Pattern.CASE_INSENSITIVE);
    private static final SessionTerms NOTHING =
            new SessionTerms(List.of(), Set.of(), null, false, false);

    private final Services services;
    private final SessionState state;
    private final Fallback fallback;
    private final MasterStatements updates;
    private final Transactions transactions;
    private final FiringChanges firing;
    private final OneStatement whole;
    private final SessionText text;

    public FunctionValues(
            Services services,
            SessionState state,
            Fallback fallback,
            MasterStatements updates,
            Transactions transactions,
            FiringChanges firing) {
        this.services = services;
        this.state = state;
        this.fallback = fallback;
        this.updates = updates;
        this.transactions = transactions;
        this.firing = firing;
        whole = new OneStatement(state, updates, transactions).around();
        text = new SessionText(state);
    }

    /// It is to be evaluated as a whole: nothing was done.
    private static final class OtherwiseException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /// @param tables that the statement names, with their databases
    /// @return false where it is no such one, and nothing was done
    public boolean run(Set<TableName> tables, ClientStatement statement, Output output) {
        SessionTerms asked = statement.ofSession() ? SessionTerms.of(statement.tokens()) : NOTHING;
        boolean constant =
                asked.assigned().isEmpty()
                        && asked.places().stream().allMatch(place -> isLasting(place.term()));
        Optional<CalledFirst> calls =
                services.mariaDb() && constant
                        ? CalledFirst.of(withConstants(statement))
                        : Optional.empty();
        if (calls.isEmpty()) {
            return false;
        }
        ClientStatement query = calls.get().query();
        Optional<ProgramWalk> functions =
                fallback.programs().called(query.tokens(), false).filter(ProgramWalk::changes);
        if (functions.isEmpty()
                || !areApart(tables, functions.get())
                || sets(functions.get(), asked)) {
            return false;
        }
        Added added = new Added();
        Runnable forgetting = whole.forgetting();
        Runnable once = () -> once(calls.get(), functions.get(), tables, added);
        try {
            if (state.inTransaction()) {
                once.run();
            } else {
                whole.alone(() -> {
                    once.run();
                    return added;
                });
            }
        } catch (OtherwiseException e) {
            forgetting.run();
            return false;
        }
        output.ok(
                added.rows,
                added.insertId,
                state.statusFlags(statement.moreResults()),
                added.warnings,
                added.info);
        return true;
    }

    /// Whether it is still what it was when the statement began.
    private static boolean isLasting(Term term) {
        return term instanceof Term.Variable || term.equals(new Term.Of(Known.LAST_INSERT_ID));
    }

    /// What only its session knows is what it was before, whatever its functions do.
    private ClientStatement withConstants(ClientStatement statement) {
        return statement.ofSession()
                ? ClientStatement.of(
                        text.filled(statement.sql()),
                        statement.bound(),
                        statement.binaryRows(),
                        statement.moreResults())
                : statement;
    }

    /// But for variables that these set.
    private static boolean sets(ProgramWalk functions, SessionTerms asked) {
        return asked.places().stream()
                .anyMatch(place ->
                        place.term() instanceof Term.Variable(String name)
                                && functions.variables().contains(name));
    }

    /// A function must not see rows that are not there yet, nor change such as its statement does.
    private boolean areApart(Set<TableName> tables, ProgramWalk functions) {
        Catalogue catalogue = services.cluster().catalogue();
        Set<TableName> read = functions.tables().withKeys(catalogue).named();
        return !read.isEmpty()
                && catalogue.holds(tables)
                && tables.stream().noneMatch(table -> FiredRows.is(read, table));
    }

    private void once(
            CalledFirst calls, ProgramWalk functions, Set<TableName> tables, Added added) {
        Set<TableName> all = new HashSet<>(functions.tables().named());
        all.addAll(tables);
        if (state.transaction() instanceof Open) {
            transactions.setSavepoints(all);
        }
        whole.wholly(
                all,
                () -> {
                    Collected given = new Collected();
                    firing.run(functions, calls.query(), given);
                    if (given.warnings() > 0
                            || !given.columns().stream().allMatch(FunctionValues::isKept)) {
                        throw new OtherwiseException();
                    }
                    List<String> constants =
                            given.rows().getFirst().stream().map(UserVariable::constant).toList();
                    if (storesBytes(tables)
                            && !constants.stream().allMatch(FunctionValues::isAscii)) {
                        throw new OtherwiseException();
                    }
                    add(tables, calls.with(constants), added);
                });
    }

    private void add(Set<TableName> tables, ClientStatement statement, Added added) {
        try {
            updates.change(tables, tables, statement, added);
        } catch (QuireException | StatementFailed e) {
            throw Fallback.isRefusal(e) || BackendModes.mayMakeFit(e, fallback)
                    ? new OtherwiseException()
                    : e;
        }
    }

    /// Of a text that a server stores as the function's character set has it: nobody has told that.
    private boolean storesBytes(Set<TableName> tables) {
        Catalogue catalogue = services.cluster().catalogue();
        return tables.stream()
                .flatMap(table -> catalogue.table(table).stream())
                .flatMap(entry -> entry.definition().columns().stream())
                .anyMatch(column -> BYTES.matcher(column.type()).lookingAt());
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    /// Whether a constant is stored as a value of the type is.
    private static boolean isKept(ColumnMetadata column) {
        boolean plain =
                !column.has(ColumnFlag.ZEROFILL)
                        && !column.has(ColumnFlag.ENUM)
                        && !column.has(ColumnFlag.SET);
        return plain
                && switch (column.type()) {
                    case MySqlType.TINY,
                            MySqlType.SHORT,
                            MySqlType.INT24,
                            MySqlType.LONG,
                            MySqlType.LONGLONG,
                            MySqlType.DECIMAL,
                            MySqlType.NEWDECIMAL ->
                            true;
                    case MySqlType.VARCHAR,
                            MySqlType.VAR_STRING,
                            MySqlType.STRING,
                            MySqlType.TINY_BLOB,
                            MySqlType.MEDIUM_BLOB,
                            MySqlType.LONG_BLOB,
                            MySqlType.BLOB ->
                            column.characterSet() != BINARY;
                    default -> false;
                };
    }

    private static final class Added implements Output {
        private long rows;
        private long insertId;
        private int warnings;
        private String info = "";

        @Override
        public void relay(byte[] packets, Runnable written) {
            throw new IllegalStateException("an INSERT that shows nothing has shown rows");
        }

        @Override
        public void ok(
                long affectedRows, long lastInsertId, int statusFlags, int count, String told) {
            rows = affectedRows;
            insertId = lastInsertId;
            warnings = count;
            info = told;
        }
    }
}
