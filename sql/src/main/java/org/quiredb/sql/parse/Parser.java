package org.quiredb.sql.parse;

import com.alibaba.druid.sql.ast.SQLStatement;
import com.alibaba.druid.sql.ast.statement.SQLDeleteStatement;
import com.alibaba.druid.sql.ast.statement.SQLInsertInto;
import com.alibaba.druid.sql.ast.statement.SQLReplaceStatement;
import com.alibaba.druid.sql.ast.statement.SQLSelectStatement;
import com.alibaba.druid.sql.ast.statement.SQLUpdateStatement;
import com.alibaba.druid.sql.dialect.mysql.parser.MySqlStatementParser;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.Change;
import org.quiredb.sql.tree.Query;
import org.quiredb.sql.tree.Reading;
import org.quiredb.sql.tree.TableName;

/// Reads queries and changes of rows.
///
/// Threads: any.
public final class Parser {
    /// MySQL's own stack ends at some thousands.
    private static final int MAXIMUM_NESTING = 400;

    private Parser() {}

    /// @param text normalised
    public static Reading read(String text) {
        return read(Tokens.ofNormalized(text));
    }

    /// @param cut of a normalised text
    public static Reading read(Tokens cut) {
        ReturningClause returning = ReturningClause.of(cut.list());
        Query.Waiting sharing = sharing(returning.before());
        List<Token> whole = FullTexts.inBrackets(before(sharing, returning.before()));
        List<Token> tokens = TypedConstants.asCalls(whole);
        if (nesting(tokens) > MAXIMUM_NESTING) {
            return unknown("nested too deeply", tokens);
        }
        try {
            BinaryPatterns patterns = BinaryPatterns.of(tokens);
            SQLStatement parsed = parse(Markers.textOf(patterns.tokens()));
            return parsed == null
                    ? withoutTree(tokens)
                    : read(parsed, whole, tokens, patterns, returning.items(), sharing);
        } catch (RuntimeException e) { // of the parser's tree, which is not made for such text
            return unknown("a syntax that only the backend knows", tokens);
        } catch (StackOverflowError e) { // the parser holds nothing that it could leave broken
            return unknown("nested too deeply", tokens);
        }
    }

    /// What stands behind FOR SHARE or LOCK IN SHARE MODE at the end, which the parser does not
    /// know there.
    private static Query.Waiting sharing(List<Token> tokens) {
        int end = tokens.size();
        if (endsWith(tokens, end, "NOWAIT") && isSharing(tokens, end - 1)) {
            return Query.Waiting.NOWAIT;
        }
        boolean skips = endsWith(tokens, end, "LOCKED") && endsWith(tokens, end - 1, "SKIP");
        return skips && isSharing(tokens, end - 2)
                ? Query.Waiting.SKIP_LOCKED
                : Query.Waiting.USUAL;
    }

    private static boolean isSharing(List<Token> tokens, int end) {
        return endsWith(tokens, end, "SHARE")
                || (endsWith(tokens, end, "MODE") && endsWith(tokens, end - 1, "SHARE"));
    }

    private static boolean endsWith(List<Token> tokens, int end, String word) {
        return end > 0 && word(tokens, end - 1, word);
    }

    private static List<Token> before(Query.Waiting sharing, List<Token> tokens) {
        return switch (sharing) {
            case USUAL -> tokens;
            case NOWAIT -> tokens.subList(0, tokens.size() - 1);
            case SKIP_LOCKED -> tokens.subList(0, tokens.size() - 2);
        };
    }

    private static Query sharing(Query query, Query.Waiting waiting) {
        if (waiting == Query.Waiting.USUAL) {
            return query;
        }
        if (query instanceof Query.Select s
                && s.locking() == Query.Locking.SHARE
                && s.waiting() == Query.Waiting.USUAL) {
            return s.withWaiting(waiting);
        }
        throw new LeftOut("such a SKIP LOCKED or NOWAIT");
    }

    /// What it locks must not be lost: such a read belongs to an update transaction.
    private static Reading unknown(String reason, List<Token> tokens) {
        boolean locking = false;
        for (int i = 0; i + 1 < tokens.size(); i++) {
            locking |=
                    word(tokens, i, "FOR")
                            && (word(tokens, i + 1, "UPDATE") || word(tokens, i + 1, "SHARE"));
            locking |= word(tokens, i, "LOCK") && word(tokens, i + 1, "IN");
        }
        return new Reading(false, Set.of(), Set.of(), false, locking, false, null, null, reason);
    }

    /// A change of rows that the parser does not take as a whole: one that shows more of them than
    /// columns, or an INSERT whose query begins with WITH.
    private static Reading withoutTree(List<Token> tokens) {
        List<Token> before = ReturningClause.before(tokens);
        SQLStatement changed = before.isEmpty() ? null : parse(Markers.textOf(before));
        if (changed == null) {
            return ofWith(tokens);
        }
        NamedTables named = NamedTables.of(changed);
        return new Reading(
                true,
                named.reads(),
                named.changes(),
                named.systemTables(),
                named.locking(),
                true,
                null,
                null,
                "RETURNING of expressions");
    }

    private static Reading ofWith(List<Token> tokens) {
        boolean inserts = word(tokens, 0, "INSERT") || word(tokens, 0, "REPLACE");
        int with = inserts ? outside(tokens, "WITH", 0) : tokens.size();
        int end = outside(tokens, "DUPLICATE", with);
        end = end < tokens.size() ? end - 1 : end; // ON
        List<Token> rest = new ArrayList<>(tokens.subList(0, with));
        rest.add(new Token.Word("SELECT", true));
        rest.add(new Token.Marker(true));
        rest.addAll(tokens.subList(Math.max(with, end), tokens.size()));
        SQLStatement query = with < end ? parse(Markers.textOf(tokens.subList(with, end))) : null;
        SQLStatement changed = query == null ? null : parse(Markers.textOf(rest));
        if (query == null || changed == null) {
            return unknown("a syntax that only the backend knows", tokens);
        }
        NamedTables read = NamedTables.of(query);
        NamedTables named = NamedTables.of(changed);
        Set<TableName> reads = new LinkedHashSet<>(named.reads());
        reads.addAll(read.reads());
        return new Reading(
                true,
                reads,
                named.changes(),
                read.systemTables() || named.systemTables(),
                read.locking(),
                false,
                null,
                null,
                "WITH");
    }

    /// The word's first place outside of parentheses; the end where it has none.
    private static int outside(List<Token> tokens, String word, int from) {
        int depth = 0;
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.get(i) instanceof Token.Symbol(char c, boolean _)) {
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            }
            if (i >= from && depth == 0 && word(tokens, i, word)) {
                return i;
            }
        }
        return tokens.size();
    }

    private static boolean word(List<Token> tokens, int i, String word) {
        return tokens.get(i) instanceof Token.Word w && w.is(word);
    }

    private static int nesting(List<Token> tokens) {
        int depth = 0;
        int deepest = 0;
        for (Token token : tokens) {
            if (token instanceof Token.Symbol(char c, boolean s)) {
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
                deepest = Math.max(deepest, depth);
            }
        }
        return deepest;
    }

    /// Null for what is no statement, or several.
    private static @Nullable SQLStatement parse(String text) {
        try {
            List<SQLStatement> statements = new MySqlStatementParser(text).parseStatementList();
            return statements.size() == 1 ? statements.getFirst() : null;
        } catch (RuntimeException e) { // whatever it throws, it says no
            return null;
        }
    }

    private static Reading read(
            SQLStatement parsed,
            List<Token> whole,
            List<Token> tokens,
            BinaryPatterns patterns,
            List<Query.Item> returned,
            Query.Waiting sharing) {
        NamedTables named = NamedTables.of(parsed);
        if (named.emptyList()) {
            return unknown("a query without columns", tokens);
        }
        boolean reads = parsed instanceof SQLSelectStatement;
        Query query = null;
        Change change = null;
        String leftOut = "";
        Conversion conversion = new Conversion(whole, patterns);
        try {
            Words.requireGrammar(tokens);
            switch (parsed) {
                case SQLSelectStatement select ->
                        query = sharing(conversion.outermost(select.getSelect()), sharing);
                case SQLReplaceStatement replace -> change = conversion.replace(replace, returned);
                case SQLInsertInto insert -> change = conversion.insert(insert, returned);
                case SQLUpdateStatement update -> change = conversion.update(update);
                case SQLDeleteStatement delete -> change = conversion.delete(delete, returned);
                default -> {
                    return unknown("neither a query nor a change of rows", tokens);
                }
            }
            conversion.accountForAll();
            if (named.systemTables() && !reads && !named.changesSystemTables()) {
                throw new LeftOut("tables of the server's own schemas");
            }
        } catch (LeftOut e) {
            if (e.isWrong()) {
                return unknown(e.what(), tokens);
            }
            query = null;
            change = null;
            leftOut = e.what();
        }
        return new Reading(
                true,
                named.reads(),
                reads ? Set.of() : named.changes(),
                named.systemTables(),
                named.locking(),
                change != null && !change.returned().isEmpty(),
                query,
                change,
                leftOut);
    }
}
