package org.quiredb.replica.engine;

import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.ReplicaReply;

/// Errors of statements: what the engine refuses, and what its callers are told.
public final class Errors {
    private Errors() {}

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
