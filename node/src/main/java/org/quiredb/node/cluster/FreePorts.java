package org.quiredb.node.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;

/// Ports on loopback that nothing listens on, for parts that must know each other's before they
/// listen.
///
/// They lie below the range that systems take the ports of outgoing connections from: between the
/// choice and its use nobody is given the same port by chance. Threads: any.
public final class FreePorts {
    private static final int LOWEST = 15_000;
    private static final int BEYOND = 32_000;
    private static final int ATTEMPTS = 1_000;
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    public static int next() {
        return next(port -> true);
    }

    /// A port that is free together with the one so far above it.
    public static int two(int distance) {
        return next(port -> free(port + distance) && GIVEN.add(port + distance));
    }

    private static int next(IntPredicate also) {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = RandomGenerator.getDefault().nextInt(LOWEST, BEYOND);
            if (free(port) && GIVEN.add(port) && also.test(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port found below " + BEYOND);
    }

    private static boolean free(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
