package org.quiredb.node.console;

import java.util.List;
import java.util.Set;
import org.quiredb.common.message.ClusterNode;
import org.quiredb.node.status.TierStatus;

/// The tier at one time.
///
/// @param inSync the replicas that every commit waits for; empty while that is not known
record Look(long at, TierStatus tier, Set<String> inSync) {
    List<ClusterNode> nodes() {
        return tier.nodes();
    }
}
