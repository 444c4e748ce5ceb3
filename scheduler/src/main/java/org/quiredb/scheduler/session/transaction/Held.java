package org.quiredb.scheduler.session.transaction;

import org.quiredb.common.message.ReplicaRequest;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;

/// What holds whole tables for a session beside its transactions, which pass its locks.
public interface Held {
    Held NOTHING =
            new Held() {
                @Override
                public long host(ConflictClass conflictClass) {
                    return ReplicaRequest.Update.NO_HOST;
                }

                @Override
                public void require() {}

                @Override
                public void committed(VersionVector stable) {}
            };

    /// The session on the class's master that holds them, as an update transaction names it.
    long host(ConflictClass conflictClass);

    /// Returns when they are held, wherever they were before.
    ///
    /// @throws org.quiredb.common.error.QuireException DEADLOCK where they are not any more
    void require();

    /// The session has committed something while they were held, and nobody else can have changed
    /// them up to there.
    void committed(VersionVector stable);
}
