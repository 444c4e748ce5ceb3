package org.quiredb.scheduler.account;

import java.util.LinkedHashMap;
import java.util.Map;

/// How long a client waits for the answer to a wrong password, by its host: who guesses gets slower
/// with each guess, and no faster by guessing on many connections at once.
///
/// A host that has had wrong guesses for longer than a while is forgotten, and so is the one that
/// was heard of longest ago when there are too many. A right password neither waits nor forgives:
/// who has an account of its own must not guess at another's any faster.
///
/// Pure. Threads: any, guarded by this. By example: FailedLoginsTest.
public final class FailedLogins {
    static final int MAXIMUM_HOSTS = 10_000;

    /// Connections of one host that may wait at a time; further logins are refused unheard.
    static final int MAXIMUM_WAITING = 16;

    static final long FIRST_MILLIS = 50;
    static final long MAXIMUM_MILLIS = 2_000;

    /// Guesses that cost nothing but the first delay: a program that was told the wrong password
    /// tries a few times, a person, too.
    static final int FREE = 3;

    static final long FORGOTTEN_MILLIS = 60_000;

    private final Map<String, Host> hosts = new LinkedHashMap<>(16, 0.75f, true);
    private long failures;

    private static final class Host {
        int failures;
        int waiting;
        long lastMillis;
    }

    /// Whether a login from the host is heard at all now.
    public synchronized boolean heard(String host) {
        Host known = hosts.get(host);
        return known == null || known.waiting < MAXIMUM_WAITING;
    }

    /// @return how long it waits for its answer; then it is to be {@link #answered}
    public synchronized long failed(String host, long nowMillis) {
        failures++;
        Host known = hosts.computeIfAbsent(host, name -> new Host());
        if (known.waiting == 0 && nowMillis - known.lastMillis > FORGOTTEN_MILLIS) {
            known.failures = 0;
        }
        known.failures++;
        known.waiting++;
        known.lastMillis = nowMillis;
        forgetOne();
        int doublings = Math.min(Math.max(0, known.failures - FREE), Long.SIZE / 4);
        return Math.min(FIRST_MILLIS << doublings, MAXIMUM_MILLIS);
    }

    public synchronized void answered(String host) {
        Host known = hosts.get(host);
        if (known != null && known.waiting > 0) {
            known.waiting--;
        }
    }

    /// Since the start.
    public synchronized long failures() {
        return failures;
    }

    /// Not one that waits, of which there are no more than connections.
    private void forgetOne() {
        if (hosts.size() <= MAXIMUM_HOSTS) {
            return;
        }
        var each = hosts.values().iterator();
        while (each.hasNext()) {
            if (each.next().waiting == 0) {
                each.remove();
                return;
            }
        }
    }
}
