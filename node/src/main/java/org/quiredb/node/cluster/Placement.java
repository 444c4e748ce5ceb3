package org.quiredb.node.cluster;

import java.util.List;

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

    /// What stands before its command.
    List<String> launcher(String process);
}
