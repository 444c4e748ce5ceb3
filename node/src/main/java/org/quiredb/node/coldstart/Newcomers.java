package org.quiredb.node.coldstart;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A client of each scheduler that has begun.
///
/// Threads: one; each client has one of its own.
final class Newcomers implements AutoCloseable {
    private final Map<String, Newcomer> clients = new LinkedHashMap<>();
    private final List<Thread> threads = new ArrayList<>();

    /// @param firstNumber of the first client, the others have the next
    Newcomers(ColdTier tier, List<String> hosts, int firstNumber) {
        for (String scheduler : tier.schedulers()) {
            if (hosts.contains(scheduler)) {
                Newcomer client =
                        new Newcomer(tier.endpoint(scheduler), firstNumber + clients.size());
                clients.put(scheduler, client);
                threads.add(Thread.ofPlatform().name(scheduler).daemon().start(client));
            }
        }
    }

    Set<String> schedulers() {
        return clients.keySet();
    }

    boolean served() {
        return clients.values().stream().allMatch(Newcomer::served);
    }

    /// When the last one was.
    long servedNanos() {
        return clients.values().stream().mapToLong(Newcomer::servedNanos).max().orElseThrow();
    }

    /// What those say who are not served.
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        clients.forEach((scheduler, client) -> {
            if (!client.served()) {
                complaints.add("the client of %s: %s".formatted(scheduler, client.last()));
            }
        });
        return complaints;
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}
