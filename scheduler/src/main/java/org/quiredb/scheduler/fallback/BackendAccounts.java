package org.quiredb.scheduler.fallback;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.account.Account;
import org.quiredb.scheduler.account.Accounts;
import org.quiredb.scheduler.account.GrantTables;
import org.quiredb.scheduler.account.Grants;
import org.quiredb.scheduler.account.Login;
import org.quiredb.scheduler.account.PasswordVerifier;
import org.quiredb.scheduler.account.Rights;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The accounts of the backend, beside that of the configuration, which comes before one of the
/// same name.
///
/// What the backend's tables hold is read before a login, at most once a second but for one of an
/// account that is not known, and every few seconds once anybody has logged in by it: so long a
/// GRANT or REVOKE may take to be seen by sessions that are open. While the backend does not
/// answer, what was read last stays in force.
///
/// Threads: any.
public final class BackendAccounts implements Accounts, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BackendAccounts.class);
    private static final long LOGIN_NANOS = 1_000_000_000L;
    private static final long SESSION_NANOS = 2_000_000_000L;
    private static final long TURN_MILLIS = 5_000;
    private static final int MAXIMUM_REMEMBERED = 10_000;

    private final FallbackBackend backend;
    private final Accounts configured;
    private final ReentrantLock reading = new ReentrantLock();
    private final Cache<Account, String> passwords =
            Caffeine.newBuilder().maximumSize(MAXIMUM_REMEMBERED).build();
    private volatile State state = new State(new Grants(GrantTables.EMPTY), Long.MIN_VALUE);

    /// Written under the lock reading.
    private volatile boolean failing;

    private volatile boolean watched;
    private volatile boolean closed;

    /// @param nanos when the reading began, whatever came of it
    /// @param rights by them, as they are asked for
    private record State(Grants grants, long nanos, Cache<Login, Rights> rights) {
        State(Grants grants, long nanos) {
            this(grants, nanos, Caffeine.newBuilder().maximumSize(MAXIMUM_REMEMBERED).build());
        }

        Rights rights(Login login) {
            return rights.get(login, known -> grants.rights(known.account(), known.clientHost()));
        }
    }

    public BackendAccounts(FallbackBackend backend, Accounts configured) {
        this.backend = backend;
        this.configured = configured;
    }

    @Override
    public Optional<Account> find(String user, String clientHost) {
        Optional<Account> first = configured.find(user, clientHost);
        if (first.isPresent()) {
            return first;
        }
        long nowNanos = System.nanoTime();
        refresh(LOGIN_NANOS);
        Optional<Account> found = state.grants().find(user, clientHost);
        if (found.isEmpty()) { // perhaps it is new
            refreshSince(nowNanos);
            found = state.grants().find(user, clientHost);
        }
        if (found.isPresent() && !watched) {
            watch();
        }
        return found;
    }

    @Override
    public Optional<String> remembered(Account account) {
        return Optional.ofNullable(passwords.getIfPresent(account));
    }

    @Override
    public boolean admits(Account account, String password) {
        boolean sha2 = account.verifier() instanceof PasswordVerifier.Sha2Hash;
        boolean admitted = sha2 && !password.isEmpty() && backend.admits(account, password);
        if (admitted) {
            passwords.put(account, password);
        }
        return admitted;
    }

    /// What a client may do now.
    public Rights rights(Login login) {
        return switch (login.account().origin()) {
            case CONFIGURATION -> Rights.ALL;
            case BACKEND -> state.rights(login);
        };
    }

    /// Somebody has changed them: returns once those in force are none of before.
    ///
    /// @return false where the backend does not tell
    public boolean readAnew() {
        backend.definitions().clear(); // a view's definer may read fewer tables, or columns of them
        long nanos = System.nanoTime();
        refreshSince(nanos);
        return state.nanos() - nanos >= 0 && !failing;
    }

    /// Nobody waits for another's reading who has something to go on with.
    private void refresh(long maximumNanos) {
        State known = state;
        boolean first = known.nanos() == Long.MIN_VALUE;
        if (!first && System.nanoTime() - known.nanos() < maximumNanos) {
            return;
        }
        if (!(first ? getsTurn() : reading.tryLock())) {
            return;
        }
        try {
            if (state.equals(known)) {
                readAt(System.nanoTime());
            }
        } finally {
            reading.unlock();
        }
    }

    /// Of those who wait for it one reads, for all who came before it began.
    private void refreshSince(long nanos) {
        if (!getsTurn()) {
            return;
        }
        try {
            if (state.nanos() - nanos < 0) {
                readAt(System.nanoTime());
            }
        } finally {
            reading.unlock();
        }
    }

    /// While the backend hangs nobody waits for long: what was read last is in force.
    private boolean getsTurn() {
        try {
            return reading.tryLock(TURN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @GuardedBy("reading")
    private void readAt(long nanos) {
        state = new State(read(state.grants()), nanos);
    }

    private Grants read(Grants before) {
        try {
            Grants now = new Grants(backend.accounts());
            failing = false;
            return now;
        } catch (StatementFailed | QuireException e) {
            if (!failing) {
                LOG.warn(
                        "the backend's accounts cannot be read, so those read before are in force, and none if there were none: {}",
                        e.getMessage());
            }
            failing = true;
            return before;
        }
    }

    /// Or else with the next login.
    private void watch() {
        if (!reading.tryLock()) {
            return;
        }
        try {
            if (!watched && !closed) {
                watched = true;
                Thread.ofVirtual().name("accounts").start(this::readAgainAndAgain);
            }
        } finally {
            reading.unlock();
        }
    }

    private void readAgainAndAgain() {
        while (!closed) {
            LockSupport.parkNanos(SESSION_NANOS);
            if (!closed) {
                refresh(SESSION_NANOS / 2);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
