package org.quiredb.node.cluster;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.config.ClusterSection;

/// Where the processes of a tier on this machine are.
public interface Placement {
    /// All on loopback.
    Placement LOOPBACK =
            new Placement() {
                @Override
                public String host(String process) {
                    return "127.0.0.1";
                }

                @Override
                public List<String> launcher(String process) {
                    return List.of();
                }
            };

    /// The address of a process of this name.
    String host(String process);

    /// What they know one another by: nothing on loopback.
    default @Nullable ClusterSection cluster() {
        return null;
    }

    /// What stands before its command.
    List<String> launcher(String process);
}
