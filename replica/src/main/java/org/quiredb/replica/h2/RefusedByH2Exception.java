package org.quiredb.replica.h2;

import org.h2.message.DbException;

/// H2 did not take a statement, or not to its end, for a reason of its own.
public final class RefusedByH2Exception extends RuntimeException {
    private static final long serialVersionUID = 1;

    RefusedByH2Exception(DbException cause) {
        super(cause.getMessage(), cause);
    }
}
