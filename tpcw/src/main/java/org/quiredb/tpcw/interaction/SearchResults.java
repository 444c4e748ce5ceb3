package org.quiredb.tpcw.interaction;

import java.sql.SQLException;
import org.quiredb.tpcw.transaction.Sql;
import org.quiredb.tpcw.transaction.TransactionRunner;

/// The first 50 books by title whose author or title contains a text, or that are on a subject.
///
/// @param text without characters that mean something to LIKE
public record SearchResults(SearchType type, String text, int promotedItem)
        implements Interaction<ListPage> {

    private static final String SEARCH =
            """
            SELECT i_id, i_title, a_fname, a_lname
            FROM item JOIN author ON a_id = i_a_id
            WHERE %s
            ORDER BY i_title
            LIMIT 50\
            """;

    static final String BY_AUTHOR = SEARCH.formatted("a_lname LIKE ?");
    static final String BY_TITLE = SEARCH.formatted("i_title LIKE ?");
    static final String BY_SUBJECT = SEARCH.formatted("i_subject = ?");

    @Override
    public ListPage answer(TransactionRunner transactions) throws SQLException {
        String sql =
                switch (type) {
                    case AUTHOR -> BY_AUTHOR;
                    case TITLE -> BY_TITLE;
                    case SUBJECT -> BY_SUBJECT;
                };
        String parameter = type == SearchType.SUBJECT ? text : anywhere(text);
        return transactions.read(connection ->
                new ListPage(
                        Sql.list(connection, ListPage.ENTRY, sql, parameter),
                        Promotion.of(connection, promotedItem)));
    }

    static String anywhere(String text) {
        return "%" + text + "%";
    }
}
