package org.quiredb.replica.engine;

import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaReply;
import org.quiredb.common.schema.CheckDefinition;
import org.quiredb.common.schema.TableDefinition;

/// Errors of statements: what the engine refuses, and what its callers are told.
public final class Errors {
    private Errors() {}

    /// A row that does not pass a CHECK.
    public static QuireException failed(TableDefinition table, CheckDefinition check) {
        return new QuireException(
                ErrorCode.CONSTRAINT_FAILED,
                "CONSTRAINT `%s` failed for `%s`.`%s`"
                        .formatted(check.called(table.name()), table.schema(), table.name()));
    }

    /// What the tier does not run with MySQL's meaning: a read goes to the backend.
    public static QuireException unsupported(String what) {
        return new QuireException(
                ErrorCode.NOT_SUPPORTED_YET,
                "This version of Quire doesn't yet support '"
                        + what
                        + "' in an update transaction");
    }

    public static ReplicaReply.Failed failed(QuireException error) {
        boolean over = error.code() == ErrorCode.DEADLOCK;
        return new ReplicaReply.Failed(
                error.code().number(),
                error.code().sqlState(),
                String.valueOf(error.getMessage()),
                over,
                0);
    }
}
