package org.quiredb.scheduler.session.transaction;

import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.cluster.CallLost;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.route.Losses;
import org.quiredb.scheduler.route.ReplicaView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts the replicas that are lost under a session's statement, and says so.
///
/// Threads: owned by the session's thread.
public final class LostUnderWay {
    private static final Logger LOG = LoggerFactory.getLogger(LostUnderWay.class);
    private static final int MOST_CHARACTERS = 300;

    private final Cluster cluster;
    private final Losses losses;

    public LostUnderWay(Cluster cluster, Losses losses) {
        this.cluster = cluster;
        this.losses = losses;
    }

    /// @param statement without its values
    public void met(CallLost loss, String statement) {
        if (!loss.underWay()) {
            return;
        }
        long left = cluster.views().stream().filter(ReplicaView::serving).count();
        losses.met(String.valueOf(loss.getMessage()), (int) left);
        String shown =
                statement.length() > MOST_CHARACTERS
                        ? statement.substring(0, MOST_CHARACTERS) + "..."
                        : statement;
        if (losses.tooMany()) {
            LOG.warn(
                    "{} replicas were lost while they ran one statement, it is run no more: {}",
                    losses.count(),
                    shown);
        } else {
            LOG.info("{}, while it ran a statement: {}", loss.getMessage(), shown);
        }
    }

    /// @throws QuireException where the statement is not to be run again
    public void require() {
        if (losses.tooMany()) {
            throw new QuireException(ErrorCode.UNKNOWN_ERROR, losses.told());
        }
    }
}
