package org.quiredb.common.trust;

import java.io.IOException;

/// The other side has not shown that it holds the cluster's secret; the connection is to be closed.
public final class UntrustedException extends IOException {
    private static final long serialVersionUID = 1;

    public UntrustedException(String message) {
        super(message);
    }
}
