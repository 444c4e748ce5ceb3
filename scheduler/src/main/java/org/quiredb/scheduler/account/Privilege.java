package org.quiredb.scheduler.account;

import java.util.Locale;

/// What may be granted on all databases, one, or one table, as far as Quire asks for it.
public enum Privilege {
    SELECT,
    INSERT,
    UPDATE,
    DELETE,
    CREATE,
    DROP,
    REFERENCES,
    INDEX,
    ALTER,
    CREATE_VIEW,
    LOCK_TABLES,

    /// To see what others' clients do; of no database or table.
    PROCESS;

    public boolean isOfDatabases() {
        return this != PROCESS;
    }

    /// As error messages and the column `Table_priv` spell it, but for the case.
    public String words() {
        return name().replace('_', ' ');
    }

    /// The column of `mysql.user` and `mysql.db`, whose names have no case.
    public String column() {
        return name().toLowerCase(Locale.ROOT) + "_priv";
    }
}
