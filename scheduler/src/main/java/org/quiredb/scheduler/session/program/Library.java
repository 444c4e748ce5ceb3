package org.quiredb.scheduler.session.program;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.schema.TriggerDefinition;
import org.quiredb.scheduler.account.Account;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.classify.Classifier;
import org.quiredb.scheduler.fallback.connection.Routines;
import org.quiredb.sql.command.RoutineBody;
import org.quiredb.sql.command.RoutineStatement;
import org.quiredb.sql.program.Program;
import org.quiredb.sql.program.Step;
import org.quiredb.sql.program.Text;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// The procedures that a CALL may come to, read before anything of them is run, and refused where
/// one cannot be.
///
/// Threads: owned by the session's thread.
final class Library {
    private static final int MOST = 200;

    /// Modes in which other statements are read.
    private static final String OTHER_TEXT = "ORACLE";

    private final Routines routines;
    private final Classifier classifier;
    private final Account account;
    private final boolean everything;
    private final Map<TableName, Optional<Procedure>> known = new HashMap<>();

    /// @param collation that its database had when it was made
    record Procedure(TableName name, Program program, String sqlMode, String collation) {}

    /// @param everything whether the account has every right
    Library(Routines routines, Classifier classifier, Account account, boolean everything) {
        this.routines = routines;
        this.classifier = classifier;
        this.account = account;
        this.everything = everything;
    }

    /// With all that it may call. Null where there is none.
    ///
    /// @param name with its database
    @Nullable Procedure find(TableName name, boolean qualified) {
        TableName key = new TableName(name.database(), name.name().toLowerCase(Locale.ROOT));
        Optional<Procedure> before = known.get(key);
        if (before != null) {
            return before.orElse(null);
        }
        if (known.size() == MOST) {
            throw refused(name, "it may call more than %d others".formatted(MOST));
        }
        if (qualified && routines.isPackage(name.database())) {
            throw refused(name, "it may be a package's");
        }
        Optional<Procedure> read = routines.find(false, name).map(made -> read(name, made));
        known.put(key, read);
        read.ifPresent(found -> require(found.program.body(), name.database()));
        return read.orElse(null);
    }

    private Procedure read(TableName name, Routines.Routine made) {
        Set<String> modes = Set.of(made.sqlMode().split(",", -1));
        if (modes.contains(OTHER_TEXT)) {
            throw refused(name, "it was made with sql_mode " + OTHER_TEXT);
        }
        Tokens tokens =
                Tokens.of(
                        Tokens.byDefault(
                                made.create(),
                                modes.contains("ANSI_QUOTES"),
                                !modes.contains("NO_BACKSLASH_ESCAPES")));
        if (tokens.dependsOnVersion()) {
            throw refused(name, "there are comments for some versions in it");
        }
        RoutineBody body =
                RoutineStatement.of(tokens)
                        .map(RoutineStatement::body)
                        .orElseThrow(() -> refused(name, "it is not understood"));
        if (Tokens.mentions(body.tokens().text(), TriggerDefinition.VARIABLE)) {
            throw refused(name, "it names @" + TriggerDefinition.VARIABLE);
        }
        Program program;
        try {
            program = Program.of(body);
        } catch (QuireException e) {
            throw refused(name, String.valueOf(e.getMessage()));
        }
        requireRights(name, program, tokens, body.tokens());
        return new Procedure(name, program, made.sqlMode(), made.collation());
    }

    /// It is run with the client's rights, which must be those that it says.
    private void requireRights(TableName name, Program program, Tokens create, Tokens body) {
        boolean own =
                create.is(1, "DEFINER")
                        && create.name(3).equals(account.user())
                        && create.is(4, '@')
                        && create.name(5).equalsIgnoreCase(account.host());
        if (program.invoker() || own) {
            return;
        }
        if (!everything) {
            throw refused(
                    name,
                    "it is run with the rights of its definer, which is another account; SQL SECURITY INVOKER is run");
        }
        if (body.has("CURRENT_USER") || body.has("CURRENT_ROLE")) {
            throw refused(name, "it asks for its definer, which is another account");
        }
    }

    /// @param block a program without a name
    void require(Procedure block) {
        require(block.program.body(), block.name.database());
    }

    private void require(Step step, String database) {
        switch (step) {
            case Step.Block block -> {
                for (Step.Declared declared : block.declared()) {
                    if (declared instanceof Step.Declared.Cursor(String _, var _, Text query)) {
                        require(query);
                    }
                }
                block.handlers().forEach(handler -> require(handler.step(), database));
                require(block.steps(), database);
            }
            case Step.Choice choice -> {
                choice.branches().forEach(branch -> require(branch.steps(), database));
                require(choice.otherwise(), database);
            }
            case Step.Case choice -> {
                choice.branches().forEach(branch -> require(branch.steps(), database));
                require(choice.otherwise(), database);
            }
            case Step.Loop loop -> require(loop.steps(), database);
            case Step.Count loop -> require(loop.steps(), database);
            case Step.SelectInto(Text query, List<Step.Target> _) -> require(query);
            case Step.Plain(Text text) -> require(text);
            case Step.Call call -> {
                Procedure _ = find(call.name().in(database), !call.name().database().isEmpty());
            }
            case Step.Leave _,
                    Step.Iterate _,
                    Step.Assign _,
                    Step.Open _,
                    Step.Fetch _,
                    Step.Close _,
                    Step.Signal _,
                    Step.Diagnose _ -> {}
        }
    }

    private void require(@Nullable List<Step> steps, String database) {
        if (steps != null) {
            steps.forEach(step -> require(step, database));
        }
    }

    /// What the tier does not run is known from its text, whatever the values in it are.
    private void require(Text text) {
        String word = text.tokens().upper(0);
        boolean ofText = word.equals("PREPARE") || word.equals("EXECUTE");
        String sql = text.with(name -> ofText ? "'1'" : "1");
        Classification kind = classifier.classify(NormalizedSql.of(sql).text());
        switch (kind) {
            case Classification.Unsupported(String what) ->
                    throw new QuireException(
                            ErrorCode.NOT_SUPPORTED_YET, "Quire does not support " + what);
            case Classification.Load _, Classification.Use _, Classification.LockTables _ ->
                    throw new QuireException(
                            ErrorCode.NOT_SUPPORTED_YET,
                            "Quire does not support %s in a procedure".formatted(word));
            case Classification.Mistake _ when !hasOwnLimit(text) ->
                    throw new QuireException(
                            ErrorCode.NOT_SUPPORTED_YET,
                            "Quire does not support this %s in a procedure: it is not understood"
                                    .formatted(word));
            default -> {}
        }
    }

    /// What is taken off a statement before it is classified.
    private static boolean hasOwnLimit(Text text) {
        return text.has("WAIT") || text.has("NOWAIT") || text.tokens().are(0, "SET", "STATEMENT");
    }

    private static QuireException refused(TableName name, String why) {
        return new QuireException(
                ErrorCode.NOT_SUPPORTED_YET,
                "Quire does not support CALL of %s: %s".formatted(name, why));
    }
}
