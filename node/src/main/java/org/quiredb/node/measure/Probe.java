package org.quiredb.node.measure;

import java.util.ArrayList;
import java.util.List;
import org.quiredb.tpcw.interaction.BookQuery;
import org.quiredb.tpcw.random.TpcwRandom;

/// A statement that clients send again and again.
///
/// @param key what reports call it
/// @param text with question marks
record Probe(String key, String text, Kind kind, Values values) {
    /// Which of the server's databases it is sent to, and whether it changes that.
    enum Kind {
        BOOKSTORE,
        TABLE_READ,
        TABLE_WRITE
    }

    /// Draws one for each question mark.
    interface Values {
        List<Object> draw(TpcwRandom draw);
    }

    /// The bookstore's queries, then stored programs, then sysbench's statements, those that write
    /// last.
    static List<Probe> all(BookQuery.Stock stock) {
        List<Probe> probes = new ArrayList<>();
        for (BookQuery query : BookQuery.values()) {
            probes.add(
                    new Probe(
                            query.key(),
                            query.text(),
                            Kind.BOOKSTORE,
                            draw -> query.parameters(draw, stock)));
        }
        probes.addAll(StoredPrograms.probes());
        probes.addAll(SysbenchTable.probes());
        return probes;
    }
}
