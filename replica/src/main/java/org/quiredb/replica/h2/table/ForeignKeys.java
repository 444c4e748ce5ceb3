package org.quiredb.replica.h2.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.h2.constraint.Constraint;
import org.h2.constraint.ConstraintActionType;
import org.h2.constraint.ConstraintReferential;
import org.h2.engine.SessionLocal;
import org.h2.index.Cursor;
import org.h2.index.Index;
import org.h2.result.Row;
import org.h2.table.IndexColumn;
import org.h2.value.Value;
import org.h2.value.ValueNull;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.schema.ForeignKeyDefinition;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.statement.Statement;
import org.quiredb.replica.h2.value.KeyCodec;
import org.quiredb.replica.h2.value.StoredValues;
import org.quiredb.replica.layout.Collation;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.TableLayout;

/// What foreign keys ask for and do when a row has been inserted, changed or removed: at once, row
/// by row, as in InnoDB.
///
/// H2 knows the keys, but is not asked to enforce them. It looks when a statement has changed all
/// its rows; it goes on into a table that the change came from, where InnoDB refuses; and while one
/// session cascades it checks the same key for no other.
///
/// Threads: the statement's.
public final class ForeignKeys {
    private final SessionLocal session;
    private final QuireTable table;

    /// @param table whose row has been changed
    ForeignKeys(SessionLocal session, QuireTable table) {
        this.session = session;
        this.table = table;
    }

    /// What H2 calls a table's key: it wants names that are unique in a schema.
    public static String nameInH2(int tableId, ForeignKeyDefinition key) {
        return "f" + tableId + "_" + key.name();
    }

    private List<ConstraintReferential> keys() {
        Iterable<Constraint> constraints = table.getConstraints();
        if (constraints == null || !table.getCheckForeignKeyConstraints()) {
            return List.of();
        }
        List<ConstraintReferential> keys = new ArrayList<>();
        for (Constraint constraint : constraints) {
            if (constraint instanceof ConstraintReferential key) {
                keys.add(key);
            }
        }
        return keys;
    }

    /// Whether one refers to the table, checked or not.
    boolean refer() {
        Iterable<Constraint> constraints = table.getConstraints();
        if (constraints != null) {
            for (Constraint constraint : constraints) {
                if (constraint instanceof ConstraintReferential key && isParent(key)) {
                    return true;
                }
            }
        }
        return false;
    }

    void inserted(Row row) {
        for (ConstraintReferential key : keys()) {
            if (isChild(key)) {
                requireParent(key, row);
            }
        }
        for (ForeignKeyDefinition key : withoutParent()) {
            refuseChild(key, row);
        }
    }

    void updated(Row before, Row after) {
        for (ForeignKeyDefinition key : withoutParent()) {
            if (moves(before, after)
                    || places(key.columns()).anyMatch(place -> !same(place, before, after))) {
                refuseChild(key, after);
            }
        }
        for (ConstraintReferential key : keys()) {
            if (isChild(key) && !same(key.getColumns(), before, after)) {
                requireParent(key, after);
            }
            if (isParent(key) && !same(key.getRefColumns(), before, after)) {
                ConstraintActionType action = key.getUpdateAction();
                List<Row> children = children(key, before);
                boolean any = !children.isEmpty() || refersToItself(key, before);
                if (any && (action.isNoActionOrRestrict() || cascadedFrom(key))) {
                    throw hasChildren(key);
                }
                children.forEach(child -> update(key, action, child, after));
            }
        }
    }

    void deleted(Row before) {
        for (ConstraintReferential key : keys()) {
            if (!isParent(key)) {
                continue;
            }
            ConstraintActionType action = key.getDeleteAction();
            List<Row> children = children(key, before);
            boolean any = !children.isEmpty() || refersToItself(key, before);
            if (action.isNoActionOrRestrict()) {
                if (any) {
                    throw hasChildren(key);
                }
            } else if (action == ConstraintActionType.CASCADE) {
                children.forEach(child -> child(key).removeChild(session, child));
            } else {
                if (!children.isEmpty() && cascadedFrom(key)) {
                    throw hasChildren(key);
                }
                children.forEach(child -> update(key, action, child, before));
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // one table object for each table of a catalogue
    private boolean isChild(ConstraintReferential key) {
        return key.getTable() == table;
    }

    @SuppressWarnings("ReferenceEquality")
    private boolean isParent(ConstraintReferential key) {
        return key.getRefTable() == table;
    }

    private static QuireTable child(ConstraintReferential key) {
        return (QuireTable) key.getTable();
    }

    private static boolean cascadedFrom(ConstraintReferential key) {
        return Statement.current().updates(child(key).layout().tableId());
    }

    private boolean same(IndexColumn[] columns, Row before, Row after) {
        for (IndexColumn column : columns) {
            if (!same(column.column.getColumnId(), before, after)) {
                return false;
            }
        }
        return true;
    }

    private boolean same(int place, Row before, Row after) {
        ColumnType type = table.layout().rows().type(place);
        return StoredValues.same(type, before.getValue(place), after.getValue(place));
    }

    /// Keys to tables that are not there, which H2 does not know: made or left behind while nothing
    /// was checked, or by an ALTER TABLE that makes a key to its own table and renames it.
    private List<ForeignKeyDefinition> withoutParent() {
        TableLayout layout = table.layout();
        List<ForeignKeyDefinition> definitions = layout.definition().foreignKeys();
        if (definitions.isEmpty() || !table.getCheckForeignKeyConstraints()) {
            return List.of();
        }
        Set<String> known = new HashSet<>();
        keys().stream().filter(this::isChild).forEach(key -> known.add(key.getName()));
        if (known.size() == definitions.size()) {
            return List.of();
        }
        return definitions.stream()
                .filter(key -> !known.contains(nameInH2(layout.tableId(), key)))
                .toList();
    }

    /// In InnoDB a row with another primary key is a new one.
    private boolean moves(Row before, Row after) {
        int primary = table.layout().primary();
        return primary >= 0
                && places(table.layout().definition().indexes().get(primary).columns())
                        .anyMatch(place -> !same(place, before, after));
    }

    private IntStream places(List<String> columns) {
        return columns.stream().mapToInt(name -> table.getColumn(name).getColumnId());
    }

    private void refuseChild(ForeignKeyDefinition key, Row row) {
        if (places(key.columns()).noneMatch(place -> row.getValue(place) instanceof ValueNull)) {
            throw noParent(described(table.layout().definition(), key));
        }
    }

    /// InnoDB takes it for a child, although it goes or changes at the same time.
    private boolean refersToItself(ConstraintReferential key, Row row) {
        if (!isChild(key)) {
            return false;
        }
        for (int i = 0; i < key.getColumns().length; i++) {
            Value own = row.getValue(key.getColumns()[i].column.getColumnId());
            Value referred = row.getValue(key.getRefColumns()[i].column.getColumnId());
            int place = key.getColumns()[i].column.getColumnId();
            if (own instanceof ValueNull || !alike(table, place, own, referred)) {
                return false;
            }
        }
        return true;
    }

    private void requireParent(ConstraintReferential key, Row row) {
        Index index = key.getReferencedConstraint().getIndex();
        if (noneIsNull(key.getColumns(), row)
                && find(index, key.getRefColumns(), key.getColumns(), row).isEmpty()) {
            throw noParent(described(key));
        }
    }

    private static QuireException noParent(String described) {
        return new QuireException(
                ErrorCode.CANNOT_ADD_CHILD_ROW,
                "Cannot add or update a child row: a foreign key constraint fails " + described);
    }

    private List<Row> children(ConstraintReferential key, Row parent) {
        return noneIsNull(key.getRefColumns(), parent)
                ? find(key.getIndex(), key.getColumns(), key.getRefColumns(), parent)
                : List.of();
    }

    private static boolean noneIsNull(IndexColumn[] columns, Row row) {
        for (IndexColumn column : columns) {
            if (row.getValue(column.column.getColumnId()) instanceof ValueNull) {
                return false;
            }
        }
        return true;
    }

    /// @param columns of the index
    /// @param as columns of a row of the other table, in the same order
    private List<Row> find(Index index, IndexColumn[] columns, IndexColumn[] as, Row row) {
        QuireTable searched = (QuireTable) index.getTable();
        Row wanted = searched.getTemplateRow();
        for (int i = 0; i < columns.length; i++) {
            requireKnown(searched.layout().rows().type(columns[i].column.getColumnId()));
            Value value = row.getValue(as[i].column.getColumnId());
            wanted.setValue(
                    columns[i].column.getColumnId(), columns[i].column.convert(session, value));
        }
        List<Row> rows = new ArrayList<>();
        Cursor cursor = index.find(session, wanted, wanted, false);
        while (cursor.next()) {
            Row found = cursor.get();
            if (alike(searched, columns, wanted, found)) {
                rows.add(found);
            }
        }
        return rows;
    }

    /// The backend follows such a key, with all tables to which it leads.
    private static void requireKnown(ColumnType type) {
        if (type.collation() == Collation.OTHER) {
            throw Errors.unsupported("a foreign key of texts in a rare collation");
        }
    }

    private static boolean alike(QuireTable searched, IndexColumn[] columns, Row a, Row b) {
        for (IndexColumn column : columns) {
            int place = column.column.getColumnId();
            if (!alike(searched, place, a.getValue(place), b.getValue(place))) {
                return false;
            }
        }
        return true;
    }

    /// By the column's own collation, whatever others the statement reads.
    private static boolean alike(QuireTable of, int column, Value a, Value b) {
        ColumnType type = of.layout().rows().type(column);
        return Arrays.equals(KeyCodec.of(type, a), KeyCodec.of(type, b));
    }

    private void update(
            ConstraintReferential key, ConstraintActionType action, Row child, Row parent) {
        Value[] values = new Value[key.getColumns().length];
        for (int i = 0; i < values.length; i++) {
            values[i] =
                    action == ConstraintActionType.CASCADE
                            ? parent.getValue(key.getRefColumns()[i].column.getColumnId())
                            : ValueNull.INSTANCE;
        }
        child(key).updateChild(session, child, key.getColumns(), values);
    }

    private static QuireException hasChildren(ConstraintReferential key) {
        return new QuireException(
                ErrorCode.CANNOT_DELETE_PARENT_ROW,
                "Cannot delete or update a parent row: a foreign key constraint fails "
                        + described(key));
    }

    private static String described(ConstraintReferential key) {
        TableLayout child = child(key).layout();
        for (ForeignKeyDefinition definition : child.definition().foreignKeys()) {
            if (key.getName().equals(nameInH2(child.tableId(), definition))) {
                return described(child.definition(), definition);
            }
        }
        return "(" + key.getName() + ")";
    }

    private static String described(TableDefinition child, ForeignKeyDefinition key) {
        String parent =
                key.referencedSchema().equals(child.schema())
                        ? key.referencedTable()
                        : key.referencedSchema() + "`.`" + key.referencedTable();
        return "(`%s`.`%s`, CONSTRAINT `%s` FOREIGN KEY (%s) REFERENCES `%s` (%s)%s%s)"
                .formatted(
                        child.schema(),
                        child.name(),
                        key.name(),
                        quoted(key.columns()),
                        parent,
                        quoted(key.referencedColumns()),
                        rule(" ON DELETE ", key.onDelete()),
                        rule(" ON UPDATE ", key.onUpdate()));
    }

    /// The rule that a server takes where none is written it does not show.
    private static String rule(String when, String rule) {
        return rule.equals("RESTRICT") ? "" : when + rule;
    }

    private static String quoted(List<String> columns) {
        return "`" + String.join("`, `", columns) + "`";
    }
}
