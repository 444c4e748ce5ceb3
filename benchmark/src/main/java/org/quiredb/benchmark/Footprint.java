package org.quiredb.benchmark;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.SchemaChange;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.replica.page.LoadAccess;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.SnapshotAccess;
import org.quiredb.replica.sql.SqlEngine;
import org.quiredb.replica.tree.PageUse;

/// What of the pages the bookstore's rows and indexes take, against the same rows as text.
///
/// A program: `Footprint [items [customers [collation]]]`.
final class Footprint {
    private static final int CHUNK = 1000;
    private static final String LINE = "%-34s %8s %9s %6s %6s %6s %8s%n";

    private final PageStore store = new PageStore();
    private final SqlEngine engine = new SqlEngine(store);

    private Footprint() {}

    public static void main(String[] arguments) {
        int items = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        int customers = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 28_800;
        String collation = arguments.length > 2 ? arguments[2] : "utf8mb4_uca1400_ai_ci";
        new Footprint().print(Bookstore.of(items, customers, collation));
    }

    private void print(List<Bookstore.Table> tables) {
        System.out.printf(LINE, "pages of", "KB", "entries", "data", "head", "free", "of text");
        long all = 0;
        long text = 0;
        for (int i = 0; i < tables.size(); i++) {
            Bookstore.Table table = tables.get(i);
            load(1 + i, table);
            all += print(1 + i, table);
            text += table.textBytes();
        }
        System.out.printf(
                Locale.ROOT,
                "all: %,d KB for %,d KB of text: %.3f%n",
                all / 1024,
                text / 1024,
                (double) all / text);
        engine.close();
    }

    private void load(int tableId, Bookstore.Table table) {
        engine.apply(new SchemaChange.CreateTable(tableId, table.definition()));
        LoadAccess load = new LoadAccess(store, 1);
        List<List<byte @Nullable []>> rows = table.rows();
        for (int from = 0; from < rows.size(); from += CHUNK) {
            engine.load(load, tableId, rows.subList(from, Math.min(from + CHUNK, rows.size())));
        }
        load.finish();
    }

    private long print(int tableId, Bookstore.Table table) {
        long text = Math.max(table.textBytes(), 1);
        String name = table.definition().name();
        PageUse[] rows = {PageUse.NONE};
        long[] pages = {0};
        store.forEachPage(
                tableId,
                0,
                page -> {
                    pages[0]++;
                    rows[0] = rows[0].and(PageUse.ofRows(page.newest().bytes()));
                });
        print(name, rows[0], text);
        var snapshot = new SnapshotAccess(store, VersionVector.EMPTY.with(tableId, 1));
        for (int i = 0; i < table.definition().indexes().size(); i++) {
            print(
                    name + "." + table.definition().indexes().get(i).name(),
                    PageUse.ofTree(snapshot, tableId, i),
                    text);
        }
        return pages[0] * PageOperations.PAGE_BYTES;
    }

    private static void print(String what, PageUse use, long text) {
        System.out.printf(
                LINE,
                what,
                use.bytes() / 1024,
                use.entries(),
                percent(use.contentBytes(), use),
                percent(use.overheadBytes(), use),
                percent(use.freeBytes(), use),
                String.format(Locale.ROOT, "%.3f", (double) use.bytes() / text));
    }

    private static String percent(long part, PageUse use) {
        return 100 * part / Math.max(use.bytes(), 1) + "%";
    }
}
