package org.quiredb.node.cluster;

import java.util.List;
import org.quiredb.node.config.ClusterSection;

/// On loopback, with a secret all the same.
public final class SecretPlace implements Placement {
    private final ClusterSection cluster = ClusterSection.random();

    @Override
    public String host(String process) {
        return LOOPBACK.host(process);
    }

    @Override
    public List<String> launcher(String process) {
        return LOOPBACK.launcher(process);
    }

    @Override
    public ClusterSection cluster() {
        return cluster;
    }
}
