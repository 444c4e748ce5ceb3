package org.quiredb.logger.snapshot;

/// SQL text of names and strings.
final class Quoting {
    private Quoting() {}

    static String name(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    static String string(String value) {
        return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'";
    }
}
