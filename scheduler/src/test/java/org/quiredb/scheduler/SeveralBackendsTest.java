package org.quiredb.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.lifecycle.FreePorts;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.scheduler.account.Account;
import org.quiredb.scheduler.account.Login;
import org.quiredb.scheduler.account.Secret;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.FallbackBackend;
import org.quiredb.scheduler.fallback.Freshness;
import org.quiredb.scheduler.fallback.Snapshot;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.Outcome;

/// Statements where one database answers and another does not.
@Tag("slow")
final class SeveralBackendsTest {
    private static final ConflictClass SHOP = new ConflictClass("shop");
    private static final Login OWN =
            new Login(Account.ofConfiguration("quire", "quire"), "127.0.0.1", new Secret.Own());
    private static final BackendSession SESSION =
            new BackendSession(OWN, "", List.of("SET SESSION sql_select_limit = 1"));

    private final List<Map<ConflictClass, Long>> shown = new ArrayList<>();
    private final List<byte[]> packets = new ArrayList<>();
    private FallbackBackend backend;

    @BeforeEach
    void oneOfTwoIsThere() throws Exception {
        TestServer.get()
                .execute(
                        "CREATE DATABASE IF NOT EXISTS quire",
                        "CREATE OR REPLACE TABLE quire.applied (class_name VARCHAR(190) PRIMARY KEY, commit_number BIGINT NOT NULL)",
                        "INSERT INTO quire.applied VALUES ('shop', 7), ('crm', 3)");
        backend =
                new FallbackBackend(
                        List.of(nowhere(), TestServer.get().url()), "quire", "quire", 2);
    }

    @AfterEach
    void close() throws Exception {
        backend.close();
        TestServer.get().execute("DROP DATABASE quire");
    }

    @Test
    void aStatementRunsOnTheOneThatAnswers() {
        for (int i = 0; i < 3; i++) {
            assertThat(backend.values(SESSION, "SELECT 5")).containsExactly("5");
        }
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aDatabaseThatHangsIsLeftForTheOther() throws Exception {
        // Connections are accepted for it, and then nothing is said.
        try (ServerSocket hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                FallbackBackend another =
                        new FallbackBackend(
                                List.of(url(hanging), TestServer.get().url()),
                                "quire",
                                "quire",
                                2)) {
            assertThat(another.values(SESSION, "SELECT 5")).containsExactly("5");
        }
    }

    @Test
    void whatItShowsIsToldBeforeItsRows() {
        select(new Freshness(Map.of(SHOP, 7L), this::show));
        assertThat(shown).containsExactly(Map.of(SHOP, 7L, new ConflictClass("crm"), 3L));
        assertThat(packets).isNotEmpty();
    }

    /// It tells something of the rows, too.
    @Test
    void whatAnErrorMayHaveShownIsToldBeforeIt() {
        String tooMany = "SELECT (SELECT class_name FROM quire.applied)";
        Freshness met = new Freshness(Map.of(SHOP, 7L), this::show);
        BackendSession plain = new BackendSession(OWN, "", List.of());
        assertThatThrownBy(() -> backend.run(plain, met, asked(tooMany), packets::add))
                .isInstanceOfSatisfying(
                        StatementFailed.class, e -> assertThat(e.number()).isEqualTo(1242));
        assertThat(shown).containsExactly(Map.of(SHOP, 7L, new ConflictClass("crm"), 3L));
    }

    @Test
    void oneThatIsBehindIsNotRead() {
        Freshness ahead = new Freshness(Map.of(SHOP, 8L), this::show);
        assertThatThrownBy(() -> select(ahead))
                .isInstanceOf(QuireException.class)
                .hasMessageContaining("behind");
        assertThatThrownBy(() -> backend.snapshot(SESSION, ahead, Snapshot.Use.READS, List.of()))
                .isInstanceOf(QuireException.class);
        assertThat(packets).isEmpty();
        assertThat(shown).isEmpty();
    }

    @Test
    void aSessionThatCannotBeTakenOnLeavesNothingBehind() {
        BackendSession wrong =
                new BackendSession(OWN, "", List.of("SET @mine = 1", "SET @@nothing_like_it = 1"));
        assertThatThrownBy(() -> backend.values(wrong, "SELECT 1"))
                .isInstanceOf(StatementFailed.class);

        BackendSession plain = new BackendSession(OWN, "", List.of());
        assertThat(backend.values(plain, "SELECT @mine")).containsExactly((String) null);
    }

    @Test
    void aSnapshotIsOfTheOneThatAnswers() {
        Freshness met = new Freshness(Map.of(SHOP, 7L), this::show);
        for (int i = 0; i < 3; i++) { // more than there are connections
            try (Snapshot snapshot =
                    backend.snapshot(SESSION, met, Snapshot.Use.READS, List.of())) {
                assertThat(snapshot.positions()).containsEntry(SHOP, 7L);
            }
        }
    }

    @Test
    void aDatabaseThatIsLostAfterTheResultIsNotTold() {
        String connection = backend.values(SESSION, "SELECT CONNECTION_ID()").getFirst();
        Outcome outcome =
                backend.run(
                        SESSION,
                        Freshness.ANY,
                        asked("SELECT CONNECTION_ID()"),
                        packet -> {
                            if (packets.isEmpty()) {
                                kill(connection);
                            }
                            packets.add(packet);
                        });
        assertThat(outcome.hasRows()).isTrue();
        assertThat(backend.values(SESSION, "SELECT CONNECTION_ID()")).doesNotContain(connection);
    }

    private void kill(String connection) {
        String sql = "KILL " + connection;
        Outcome _ = backend.run(SESSION, Freshness.ANY, asked(sql), none -> {});
    }

    private void show(Map<ConflictClass, Long> positions) {
        assertThat(packets).isEmpty();
        shown.add(positions);
    }

    private void select(Freshness freshness) {
        Outcome _ = backend.run(SESSION, freshness, asked("SELECT 1"), packets::add);
    }

    private static Asked asked(String sql) {
        return new Asked(sql, sql, false, 0, "");
    }

    private static String nowhere() {
        return url(FreePorts.next());
    }

    private static String url(ServerSocket socket) {
        return url(socket.getLocalPort());
    }

    private static String url(int port) {
        return "jdbc:mysql://127.0.0.1:%d/".formatted(port);
    }
}
