package org.quiredb.node.cluster;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.quiredb.node.backend.EmbeddedBackend;
import org.quiredb.node.verify.Verification;

/// A whole tier as a process of its own, for tests that kill it: prints its port, then answers each
/// line it reads with one line about the comparison of its tiers; ends with its input. The replicas
/// may keep their pages in files, which are ahead of MariaDB.
final class TierMain {
    private static final long CHECKPOINT_MILLIS = 100; // so that many commits are on the files

    private TierMain() {}

    public static void main(String[] arguments) throws Exception {
        Path data = Path.of(arguments[0]);
        int backendPort = Integer.parseInt(arguments[1]);
        ClusterConfig inMemory = new ClusterConfig(0, backendPort, data, 2, 0, "quire", "quire");
        boolean onDisk = Boolean.parseBoolean(arguments[2]);
        ClusterConfig config =
                onDisk ? inMemory.with(new ClusterConfig.Pages(data, CHECKPOINT_MILLIS)) : inMemory;
        try (EmbeddedBackend backend = EmbeddedBackend.start(data, backendPort, "quire", "quire");
                LocalCluster tier = LocalCluster.start(config, backend);
                BufferedReader questions =
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println(TierProcess.READY + tier.port());
            while (questions.readLine() != null) {
                Verification verification = tier.verify();
                System.out.println(
                        TierProcess.VERIFIED
                                + (verification.identical()
                                        ? TierProcess.IDENTICAL
                                        : verification.differences().toString()));
            }
        }
        System.exit(0);
    }
}
