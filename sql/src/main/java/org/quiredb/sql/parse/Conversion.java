package org.quiredb.sql.parse;

import com.alibaba.druid.sql.ast.statement.SQLDeleteStatement;
import com.alibaba.druid.sql.ast.statement.SQLInsertInto;
import com.alibaba.druid.sql.ast.statement.SQLReplaceStatement;
import com.alibaba.druid.sql.ast.statement.SQLSelect;
import com.alibaba.druid.sql.ast.statement.SQLUpdateStatement;
import java.util.List;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.tree.Change;
import org.quiredb.sql.tree.Query;

/// One statement's way from Druid's tree to ours, with what has to be accounted for at its end.
///
/// Every method throws {@link LeftOut} for what our tree has no node for. Threads: one.
final class Conversion {
    private final List<Token> whole;
    private final List<Token> tokens;
    private final Markers markers;
    private final Words words = new Words();
    private final Expressions expressions;
    private final Queries queries;

    /// @param whole as the client calls its columns
    Conversion(List<Token> whole, BinaryPatterns read) {
        this.whole = whole;
        this.tokens = read.tokens();
        markers = new Markers(tokens, read.places());
        expressions = new Expressions(markers, words, this::query);
        queries = new Queries(expressions, words);
    }

    Query query(SQLSelect select) {
        return queries.query(select);
    }

    /// The outermost query, whose columns have headings.
    Query outermost(SQLSelect select) {
        return Headings.of(whole).put(queries.outermost(select));
    }

    Change insert(SQLInsertInto insert, List<Query.Item> returned) {
        return changes().insert(insert, returned);
    }

    Change replace(SQLReplaceStatement replace, List<Query.Item> returned) {
        return changes().replace(replace, returned);
    }

    Change update(SQLUpdateStatement update) {
        return changes().update(update);
    }

    Change delete(SQLDeleteStatement delete, List<Query.Item> returned) {
        return changes().delete(delete, returned);
    }

    private Changes changes() {
        return new Changes(expressions, queries);
    }

    /// @throws LeftOut when a word, constant or `?` of the text is not in the tree
    void accountForAll() {
        words.accountFor(tokens);
        if (queries.joinConditions() != Words.joinConditions(tokens)) {
            throw new LeftOut("a join whose ON stands elsewhere");
        }
        if (!markers.allUsed()) {
            throw new LeftOut("a clause with constants");
        }
    }
}
