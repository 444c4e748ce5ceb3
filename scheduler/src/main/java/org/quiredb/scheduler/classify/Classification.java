package org.quiredb.scheduler.classify;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.SavepointStep;
import org.quiredb.common.schema.SchemaNames;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.account.Need;
import org.quiredb.sql.command.Kill;
import org.quiredb.sql.command.TableLock;
import org.quiredb.sql.tree.TableName;

/// What a statement is.
public sealed interface Classification {
    /// The privileges that it takes to run it other than with the client's own rights. Tables
    /// without a database are of the current one.
    default List<Need> needs() {
        return List.of();
    }

    /// Reads tables.
    ///
    /// @param locking asks for locks (FOR UPDATE, FOR SHARE), so it belongs to an update
    ///   transaction
    /// @param headings what a replica calls the columns that are named after their text
    /// @param backendReason why only the backend runs it with MySQL's exact meaning; empty when a
    ///   replica can
    /// @param computes what it shows or compares hangs on functions, whose results settings of the
    ///   session may change
    /// @param computesTexts the connection's character set and collation among them
    record Read(
            Set<TableName> tables,
            boolean locking,
            List<String> headings,
            String backendReason,
            boolean computes,
            boolean computesTexts,
            List<Need> needs)
            implements Classification {
        public Read {
            headings = List.copyOf(headings);
            needs = List.copyOf(needs);
        }

        /// Why the backend answers the client, whose own letters name the columns.
        ///
        /// @param sql as the client sent it
        public String backendReason(String sql) {
            if (!backendReason.isEmpty()) {
                return backendReason;
            }
            int after = 0;
            for (String heading : headings) {
                int at = sql.indexOf(heading, after);
                if (at < 0) {
                    return "a column that is named after its text";
                }
                after = at + heading.length();
            }
            return "";
        }
    }

    /// Reads no table of the tier, or is a SELECT that cannot be parsed, or asks about the server
    /// (SHOW, EXPLAIN): the backend answers.
    ///
    /// @param afterEverything the answer may depend on rows, so the backend must have applied
    ///   everything first
    record Information(boolean afterEverything) implements Classification {}

    /// Changes rows. Without tables when the text could not be parsed: the master finds the error.
    ///
    /// @param changed those of the tables whose rows it may change; none where that is not known
    /// @param shows it answers with rows: INSERT or DELETE ... RETURNING
    /// @param computes what it shows are expressions, too, which the backend evaluates with it
    record Update(
            Set<TableName> tables,
            Set<TableName> changed,
            List<Need> needs,
            boolean shows,
            boolean computes)
            implements Classification {}

    /// Adds rows of a file that the client sends.
    record Load(TableName table, boolean replaces, List<Need> needs) implements Classification {
        public Load {
            needs = List.copyOf(needs);
        }
    }

    /// DDL.
    record SchemaChange(SchemaNames names, List<Need> needs) implements Classification {
        /// The database that it names first, empty for the current one.
        public String database() {
            if (changesDatabase()) {
                return names.wholeDatabase();
            }
            return names.tables().isEmpty() ? "" : names.tables().getFirst().schema();
        }

        /// Whether a database itself is what it changes.
        public boolean changesDatabase() {
            return !names.wholeDatabase().isEmpty();
        }
    }

    /// @param access how the transaction says that it will be used
    /// @param snapshot WITH CONSISTENT SNAPSHOT
    record Begin(Access access, boolean snapshot) implements Classification {}

    /// COMMIT or ROLLBACK.
    ///
    /// @param chains whether another transaction like it begins
    record Ending(boolean commits, boolean chains) implements Classification {}

    /// SAVEPOINT, ROLLBACK TO or RELEASE SAVEPOINT.
    record Savepoint(SavepointStep step) implements Classification {}

    record Assignment() implements Classification {}

    /// @param statement only the victim's statement is ended, not its connection
    record Killing(Kill.Victim victim, boolean statement) implements Classification {}

    /// SHOW WARNINGS and its kind: what the session knows of the statement before.
    ///
    /// @param errors of errors only
    /// @param count how many, and not which
    record Conditions(boolean errors, boolean count, long offset, long most)
            implements Classification {}

    /// SHOW PROCESSLIST.
    ///
    /// @param full with the whole texts of statements
    record ProcessList(boolean full) implements Classification {}

    /// @param name in lower case
    record Prepare(String name, Given text) implements Classification {}

    /// @param name in lower case; empty for EXECUTE IMMEDIATE
    /// @param text of that, one; else none
    /// @param values of its parameters
    record Execute(String name, List<Given> text, List<Given> values) implements Classification {
        public Execute {
            text = List.copyOf(text);
            values = List.copyOf(values);
        }
    }

    record Deallocate(String name) implements Classification {}

    /// A value, the user variable that has it, or what comes to it on the backend.
    sealed interface Given {
        record Constant(SqlValue value) implements Given {}

        /// @param name in lower case
        record Variable(String name) implements Given {}

        record Computed(String expression) implements Given {}
    }

    record Use(String database) implements Classification {}

    /// LOCK TABLES, or FLUSH TABLES WITH READ LOCK.
    ///
    /// @param tables none for all of the tier
    record LockTables(List<TableLock> tables, List<Need> needs) implements Classification {
        public LockTables {
            tables = List.copyOf(tables);
            needs = List.copyOf(needs);
        }
    }

    record UnlockTables() implements Classification {}

    /// ANALYZE, CHECK, CHECKSUM, OPTIMIZE or REPAIR TABLE, which the backend carries out on its own
    /// tables.
    ///
    /// @param ends whether it ends the transaction before it
    record TableService(boolean ends) implements Classification {}

    /// Changes accounts, roles, or what they may do.
    record AccountChange() implements Classification {}

    /// FLUSH.
    ///
    /// @param byBackend whether there is something that the backend can do; the tier keeps no table
    ///   open
    record Flush(boolean byBackend) implements Classification {}

    /// CREATE TEMPORARY TABLE, or DROP TEMPORARY TABLE.
    ///
    /// @param reads whether it fills the table from others (... SELECT)
    record Temporary(List<TableName> tables, boolean drops, boolean reads)
            implements Classification {
        public Temporary {
            tables = List.copyOf(tables);
        }
    }

    /// CALL. Its text is that alone, with what it gives in one pair of brackets, if any.
    ///
    /// @param procedure null for what needs no name: a block of statements that MariaDB runs
    record Call(@Nullable TableName procedure) implements Classification {}

    record Empty() implements Classification {}

    /// No statement of MySQL: error 1064, here and not on a replica, whose own SQL knows other
    /// words.
    record Mistake(String near) implements Classification {}

    /// Refused with error 1235.
    record Unsupported(String what) implements Classification {}

    enum Access {
        /// As the session's default says.
        DEFAULT,
        READ_ONLY,
        READ_WRITE
    }
}
