package org.quiredb.tpcw.interaction;

import java.util.List;
import org.quiredb.tpcw.transaction.Sql;

/// A page that lists books and links to them.
public record ListPage(List<Entry> entries, Promotion promotion) {

    /// One book of the list.
    public record Entry(int item, String title, String authorFirstName, String authorLastName) {}

    /// The items that a browser can go on to: those listed, or the promoted ones when the list is
    /// empty.
    public List<Integer> links() {
        return entries.isEmpty() ? promotion.links() : entries.stream().map(Entry::item).toList();
    }

    /// Reads an entry from the columns i_id, i_title, a_fname, a_lname.
    static final Sql.Row<Entry> ENTRY =
            row -> new Entry(row.getInt(1), row.getString(2), row.getString(3), row.getString(4));
}
