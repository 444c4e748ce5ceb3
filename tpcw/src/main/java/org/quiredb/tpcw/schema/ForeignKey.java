package org.quiredb.tpcw.schema;

/// A column that names a row of another table.
public record ForeignKey(String table, String column, String parentTable, String parentColumn) {

    String clause() {
        return "ADD CONSTRAINT fk_%s FOREIGN KEY (%s) REFERENCES %s (%s)"
                .formatted(column, column, parentTable, parentColumn);
    }
}
