package org.quiredb.scheduler.account;

import java.util.LinkedHashMap;
import java.util.Map;

/// How long a client waits for the answer to a wrong password, by its host: who guesses gets slower
/// with each guess, and no faster by guessing on many connections at once.
///
/// An account that is guessed at from a host hears no more than so many logins from there at a
/// time. Others of that host are heard: it may be a proxy's. One that few guessed at hears as many
/// as come, as when a pool of connections begins.
///
/// A host that has had wrong guesses for longer than a while is forgotten, and so is the one that
/// was heard of longest ago when there are too many. A right password neither waits nor forgives:
/// who has an account of its own must not guess at another's any faster.
///
/// Pure. Threads: any, guarded by this. By example: FailedLoginsTest.
public final class FailedLogins {
    /// Hosts, and as many accounts that were tried from one.
    static final int MAXIMUM_KNOWN = 10_000;

    /// Logins into a guessed account from one host that may be under way at a time, those that wait
    /// for their answer included; further ones are refused unheard.
    static final int MAXIMUM_UNDER_WAY = 16;

    /// Wrong guesses that make an account a guessed one.
    static final int GUESSED = 16;

    static final long FIRST_MILLIS = 50;
    static final long MAXIMUM_MILLIS = 2_000;

    /// Guesses that cost nothing but the first delay: a program that was told the wrong password
    /// tries a few times, a person, too.
    static final int FREE = 3;

    static final long FORGOTTEN_MILLIS = 60_000;

    private final Map<String, Guesses> hosts = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Tried, Guesses> accounts = new LinkedHashMap<>(16, 0.75f, true);
    private long failures;

    /// @param user a name as the client says it
    private record Tried(String user, String host) {}

    private static final class Guesses {
        int failures;
        int underWay;
        long lastMillis;

        int lately(long nowMillis) {
            return nowMillis - lastMillis > FORGOTTEN_MILLIS ? 0 : failures;
        }

        void failed(long nowMillis) {
            failures = lately(nowMillis) + 1;
            lastMillis = nowMillis;
        }
    }

    /// Whether a login is heard at all now; then it has to be told when it is {@link #over}.
    public synchronized boolean begins(String user, String host, long nowMillis) {
        Guesses account = known(accounts, new Tried(user, host));
        if (account.lately(nowMillis) >= GUESSED && account.underWay >= MAXIMUM_UNDER_WAY) {
            return false;
        }
        account.underWay++;
        return true;
    }

    /// One that is under way.
    ///
    /// @return how long it waits for its answer
    public synchronized long failed(String user, String host, long nowMillis) {
        failures++;
        known(accounts, new Tried(user, host)).failed(nowMillis);
        Guesses guesses = known(hosts, host);
        guesses.failed(nowMillis);
        int doublings = Math.min(Math.max(0, guesses.failures - FREE), Long.SIZE / 4);
        return Math.min(FIRST_MILLIS << doublings, MAXIMUM_MILLIS);
    }

    public synchronized void over(String user, String host) {
        Tried tried = new Tried(user, host);
        Guesses account = accounts.get(tried);
        if (account != null && --account.underWay == 0 && account.failures == 0) {
            accounts.remove(tried);
        }
    }

    /// Since the start.
    public synchronized long failures() {
        return failures;
    }

    /// At the bound another makes room that has none under way, of which there are no more than
    /// connections.
    private static <K> Guesses known(Map<K, Guesses> all, K one) {
        Guesses known = all.get(one);
        if (known != null) {
            return known;
        }
        if (all.size() >= MAXIMUM_KNOWN) {
            var each = all.values().iterator();
            while (each.hasNext()) {
                if (each.next().underWay == 0) {
                    each.remove();
                    break;
                }
            }
        }
        Guesses added = new Guesses();
        all.put(one, added);
        return added;
    }
}
