package org.quiredb.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.version.ClassPatterns;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.PageId;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowShape;
import org.quiredb.replica.page.PageWriter;

/// What the tier holds: each key is a list or a register, with a page of its own in the table of
/// its sort and class. A page begins with the number of its values; a register has at most one.
///
/// To the log a value that is appended to a list is a row inserted, that of a register one updated.
final class Content {
    static final int KEYS_OF_SORT = 3;
    private static final int SORTS = 2;
    private static final RowShape LIST =
            new RowShape(RowShape.Kind.INSERT, "s", "list", List.of(), List.of("id", "value"), "");
    private static final RowShape REGISTER =
            new RowShape(
                    RowShape.Kind.UPDATE, "s", "register", List.of("id"), List.of("value"), "");

    private Content() {}

    static int key(int ofClass, boolean register, int number) {
        return (ofClass * SORTS + (register ? 1 : 0)) * KEYS_OF_SORT + number;
    }

    static boolean isRegister(int key) {
        return key / KEYS_OF_SORT % SORTS == 1;
    }

    static ConflictClass classOf(int key) {
        return conflictClass(key / KEYS_OF_SORT / SORTS);
    }

    static ConflictClass conflictClass(int number) {
        return new ConflictClass("c" + number);
    }

    /// A schema for each class.
    static ClassPatterns patterns(int classes) {
        return ClassPatterns.of(
                IntStream.range(0, classes)
                        .mapToObj(Content::conflictClass)
                        .collect(Collectors.toMap(c -> c, _ -> List.of())));
    }

    static int tableId(int key) {
        return 1 + key / KEYS_OF_SORT;
    }

    static ConflictClass classOfTable(int tableId) {
        return conflictClass((tableId - 1) / SORTS);
    }

    static int tables(int classes) {
        return classes * SORTS;
    }

    static int keys(int classes) {
        return classes * SORTS * KEYS_OF_SORT;
    }

    static long pageId(int key) {
        return PageId.of(tableId(key), key % KEYS_OF_SORT);
    }

    static List<Integer> values(byte[] page) {
        List<Integer> values = new ArrayList<>();
        int count = number(page, 0);
        for (int i = 1; i <= count; i++) {
            values.add(number(page, 4 * i));
        }
        return values;
    }

    private static int number(byte[] page, int offset) {
        return page[offset] << 24
                | (page[offset + 1] & 0xFF) << 16
                | (page[offset + 2] & 0xFF) << 8
                | (page[offset + 3] & 0xFF);
    }

    static RowChange change(int key, int value) {
        return new RowChange(
                isRegister(key) ? REGISTER : LIST, List.of(SqlValue.of(key), SqlValue.of(value)));
    }

    /// On a page.
    static void run(PageWriter writer, int key, int value) {
        int count = isRegister(key) ? 0 : number(writer.bytes(), 0);
        writer.putInt(4 * (count + 1), value);
        writer.putInt(0, count + 1);
    }

    static void fill(PageWriter writer, List<Integer> values) {
        writer.putInt(0, values.size());
        for (int i = 0; i < values.size(); i++) {
            writer.putInt(4 * (i + 1), values.get(i));
        }
    }

    /// On the backend.
    static void run(RowChange change, Map<Integer, List<Integer>> rows) {
        int key = number(change.values().get(0));
        List<Integer> row = new ArrayList<>();
        if (!isRegister(key)) {
            row.addAll(rows.getOrDefault(key, List.of()));
        }
        row.add(number(change.values().get(1)));
        rows.put(key, row);
    }

    static int number(SqlValue value) {
        return (int) ((SqlValue.IntegerValue) value).value();
    }
}
