package org.quiredb.scheduler.fallback;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.account.Account;
import org.quiredb.scheduler.account.ConfiguredAccounts;
import org.quiredb.scheduler.account.PasswordVerifier;

/// Logins while the backend takes connections and says nothing.
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
final class HangingBackendTest {
    private static final int LOGINS = 30;

    private final Queue<Socket> connected = new ConcurrentLinkedQueue<>();
    private final List<Thread> logins = new ArrayList<>();
    private final Queue<Boolean> answers = new ConcurrentLinkedQueue<>();
    private ServerSocket hanging;
    private FallbackBackend backend;
    private BackendAccounts accounts;

    @BeforeEach
    void start() throws IOException {
        hanging = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        backend =
                new FallbackBackend(
                        List.of("jdbc:mysql://127.0.0.1:" + hanging.getLocalPort() + "/"),
                        "quire",
                        "quire",
                        4);
        accounts = new BackendAccounts(backend, new ConfiguredAccounts("quire", "quire"));
        Thread.ofVirtual().start(this::accept);
    }

    private void accept() {
        try {
            while (true) {
                connected.add(hanging.accept());
            }
        } catch (IOException e) {
            return; // it is closed
        }
    }

    @AfterEach
    void stop() throws Exception {
        accounts.close();
        hanging.close();
        for (Socket socket : connected) {
            socket.close();
        }
        for (Thread login : logins) {
            login.join();
        }
        backend.close();
    }

    private void login(Runnable login) {
        logins.add(Thread.ofVirtual().start(login));
    }

    private void awaitAnswers(int count) throws InterruptedException {
        long beganNanos = System.nanoTime();
        while (answers.size() < count) {
            assertThat(System.nanoTime() - beganNanos).isLessThan(TimeUnit.SECONDS.toNanos(30));
            Thread.sleep(20);
        }
    }

    /// But who reads the accounts.
    @Test
    void whoIsLookedForIsToldInTime() throws Exception {
        for (int i = 0; i < LOGINS; i++) {
            login(() -> answers.add(accounts.find("somebody", "127.0.0.1").isPresent()));
        }
        awaitAnswers(LOGINS - 1);
        assertThat(answers).containsOnly(false);
    }

    @Test
    void passwordsAreTriedOnFewConnections() throws Exception {
        Account account =
                new Account(
                        "sha2",
                        "%",
                        Account.Origin.BACKEND,
                        new PasswordVerifier.Sha2Hash("$A$005$something"),
                        Account.State.OPEN,
                        Account.Transport.ANY);
        for (int i = 0; i < LOGINS; i++) {
            String password = "password" + i;
            login(() -> answers.add(tried(account, password)));
        }
        awaitAnswers(LOGINS - 4);
        assertThat(connected).hasSizeBetween(1, 4);
        awaitAnswers(LOGINS);
        assertThat(answers).containsOnly(false);
    }

    private boolean tried(Account account, String password) {
        try {
            return accounts.admits(account, password);
        } catch (QuireException e) {
            return false;
        }
    }
}
