package org.quiredb.common.lifecycle;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Ports on loopback that nothing listens on, for parts that must know each other's before they
/// listen.
///
/// They lie below the range that systems take the ports of outgoing connections from: between the
/// choice and its use nobody is given the same port by chance. Nor is another process that chooses
/// here: each takes whole blocks of ports, by a socket on the last port of the block that it keeps
/// for as long as it lives.
///
/// Threads: any; guarded by the class.
public final class FreePorts {
    private static final int LOWEST = 15_000;
    private static final int BLOCK = 200;
    private static final int BLOCKS = 85; // up to 32,000

    /// By the number of the block; bound, and never connected or listening.
    @GuardedBy("FreePorts.class")
    private static final Map<Integer, Socket> CLAIMS = new HashMap<>();

    /// Of the claimed blocks, what was not given yet.
    @GuardedBy("FreePorts.class")
    private static final TreeSet<Integer> HELD = new TreeSet<>();

    private FreePorts() {}

    public static int next() {
        return all(0);
    }

    /// A port that is free together with the one so far above it.
    ///
    /// @param distance less than a block of ports
    public static int two(int distance) {
        return all(0, distance);
    }

    /// The first of so many in a row, fewer than a block has.
    public static int row(int count) {
        return all(IntStream.range(0, count).toArray());
    }

    private static synchronized int all(int... offsets) {
        boolean again = false;
        while (true) {
            for (int port : List.copyOf(HELD)) {
                List<Integer> ports = IntStream.of(offsets).mapToObj(i -> port + i).toList();
                if (HELD.containsAll(ports) && ports.stream().allMatch(FreePorts::free)) {
                    ports.forEach(HELD::remove);
                    return port;
                }
            }
            if (!claim()) {
                if (again) {
                    throw new IllegalStateException("too few ports are free on loopback");
                }
                for (int block : CLAIMS.keySet()) {
                    hold(block); // most is free that was given long ago
                }
                again = true;
            }
        }
    }

    /// Takes a further block. Any comes first: where a process has just ended, ports may not be
    /// free yet.
    @GuardedBy("FreePorts.class")
    private static boolean claim() {
        int first = RandomGenerator.getDefault().nextInt(BLOCKS);
        for (int i = 0; i < BLOCKS; i++) {
            int block = (first + i) % BLOCKS;
            if (!CLAIMS.containsKey(block) && claim(block)) {
                hold(block);
                return true;
            }
        }
        return false;
    }

    @GuardedBy("FreePorts.class")
    private static boolean claim(int block) {
        try {
            CLAIMS.put(block, bound(LOWEST + (block + 1) * BLOCK - 1));
            return true;
        } catch (IOException e) { // another process has it
            return false;
        }
    }

    private static Socket bound(int port) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setReuseAddress(false); // else two that do not listen may share a port
            socket.bind(loopback(port));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @GuardedBy("FreePorts.class")
    private static void hold(int block) {
        for (int i = 0; i < BLOCK - 1; i++) {
            HELD.add(LOWEST + block * BLOCK + i);
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static boolean free(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(loopback(port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
