package org.quiredb.common.trust;

import java.net.InetAddress;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// Whom a process believes that connects to it, or that it connects to.
public sealed interface Trust {
    /// Whoever comes over loopback: nobody else can come.
    record Loopback() implements Trust {}

    /// Who proves that it holds the secret, wherever it comes from.
    record Holders(ClusterSecret secret) implements Trust {}

    static Trust loopback() {
        return new Loopback();
    }

    static Trust of(ClusterSecret secret) {
        return new Holders(secret);
    }

    /// @param what listens there, for the message
    /// @throws QuireException when nothing would keep strangers out
    default void requireFor(InetAddress address, String what) {
        if (this instanceof Loopback && !address.isLoopbackAddress()) {
            throw new QuireException(
                    ErrorCode.TIER_UNAVAILABLE,
                    "%s would listen on %s without a secret, open to everybody; give every process of the cluster the same cluster.secretFile, or let it listen on 127.0.0.1"
                            .formatted(what, address.getHostAddress()));
        }
    }
}
