package org.quiredb.scheduler.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.PacketWriter;
import org.quiredb.scheduler.account.Account;
import org.quiredb.scheduler.account.Accounts;
import org.quiredb.scheduler.account.Login;
import org.quiredb.scheduler.account.PasswordVerifier;
import org.quiredb.scheduler.account.Proofs;
import org.quiredb.scheduler.account.Secret;
import org.quiredb.scheduler.session.state.ClientLimits;

/// Connector/J and bare sockets log in, over TLS and not; whoever is in is told so by an error.
@Tag("slow")
final class LoginTest {
    private static final String PASSWORD = "pässword of some length";
    private static final int IN = ErrorCode.SERVER_SHUTDOWN.number();
    private static final int DENIED = ErrorCode.ACCESS_DENIED.number();

    @TempDir private Path folder;
    private final List<Login> logins = new ArrayList<>();
    private final Known accounts = new Known();
    private MySqlServer server = start(TlsSettings.OFFERED);

    /// Whose making may take longer than a login has time, where the quick compiler does it and
    /// others compute too.
    @BeforeAll
    static void makeKey() {
        PasswordKey _ = PasswordKey.get();
    }

    private MySqlServer start(TlsSettings tls) {
        return new MySqlServer(
                new MySqlServer.Options(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        tls,
                        "11.4.5-MariaDB",
                        10,
                        ClientLimits.DEFAULT),
                accounts,
                client -> {
                    logins.add(client.login());
                    throw new QuireException(ErrorCode.SERVER_SHUTDOWN, "in");
                },
                new AtomicInteger()::incrementAndGet,
                () -> {});
    }

    private void restart(TlsSettings tls) {
        server.close();
        server = start(tls);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /// One account for each way of checking a password.
    private static final class Known implements Accounts {
        private final List<String> asked = new ArrayList<>();
        private boolean remembers;

        @Override
        public Optional<Account> find(String user, String clientHost) {
            PasswordVerifier verifier =
                    switch (user) {
                        case "known" -> new PasswordVerifier.Known(PASSWORD);
                        case "native" ->
                                new PasswordVerifier.NativeHash(Proofs.doubleHash(PASSWORD));
                        case "sha2" -> new PasswordVerifier.Sha2Hash("$A$005$something");
                        case "open" -> new PasswordVerifier.NativeHash(new byte[0]);
                        default -> new PasswordVerifier.Other("ed25519");
                    };
            return user.equals("nobody") ? Optional.empty() : Optional.of(account(user, verifier));
        }

        private static Account account(String user, PasswordVerifier verifier) {
            return new Account(
                    user,
                    "%",
                    Account.Origin.BACKEND,
                    verifier,
                    Account.State.OPEN,
                    Account.Transport.ANY);
        }

        @Override
        public Optional<String> remembered(Account account) {
            return remembers ? Optional.of(PASSWORD) : Optional.empty();
        }

        @Override
        public boolean admits(Account account, String password) {
            asked.add(password);
            remembers |= password.equals(PASSWORD);
            return password.equals(PASSWORD);
        }
    }

    private int connect(String user, String password, String options) {
        try {
            DriverManager.getConnection(
                            "jdbc:mysql://127.0.0.1:" + server.port() + "/?" + options,
                            user,
                            password)
                    .close();
            return 0;
        } catch (SQLException e) {
            return e.getErrorCode();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sslMode=REQUIRED", "sslMode=DISABLED&allowPublicKeyRetrieval=true"})
    void everyMethodLetsTheRightPasswordInAndNoOther(String options) {
        for (String user : List.of("known", "native", "sha2")) {
            assertThat(connect(user, PASSWORD, options)).as(user).isEqualTo(IN);
            assertThat(connect(user, "wrong", options)).as(user).isEqualTo(DENIED);
            assertThat(connect(user, "", options)).as(user).isEqualTo(DENIED);
        }
        assertThat(connect("open", "", options)).isEqualTo(IN);
        assertThat(connect("open", "any", options)).isEqualTo(DENIED);
        assertThat(connect("other", PASSWORD, options)).isEqualTo(DENIED);
        assertThat(connect("nobody", PASSWORD, options)).isEqualTo(DENIED);
        assertThat(logins).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sslMode=REQUIRED", "sslMode=DISABLED&allowPublicKeyRetrieval=true"})
    void thePasswordIsSentOnceAndProvedAfterwards(String options) {
        connect("sha2", PASSWORD, options);
        connect("sha2", PASSWORD, options);
        connect("sha2", "wrong", options);

        assertThat(accounts.asked).containsExactly(PASSWORD, "wrong");
        assertThat(logins)
                .extracting(Login::secret)
                .containsExactly(new Secret.Password(PASSWORD), new Secret.Password(PASSWORD));
    }

    /// A client that is not told to trust whatever key it is given does not send the password.
    @Test
    void withoutTlsAndKeyTheFullExchangeEnds() {
        assertThat(connect("sha2", PASSWORD, "sslMode=DISABLED")).isZero();
        assertThat(accounts.asked).isEmpty();
        assertThat(logins).isEmpty();
    }

    @Test
    void aNativeProofIsEnoughToLogInElsewhere() {
        connect("native", PASSWORD, "");

        assertThat(logins)
                .extracting(Login::secret)
                .containsExactly(
                        new Secret.NativeHash(
                                Proofs.hash(
                                        Proofs.NATIVE, PASSWORD.getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void whereTlsIsRequiredNobodyComesWithout() {
        restart(new TlsSettings(TlsSettings.Mode.REQUIRED, null, null));

        assertThat(connect("native", PASSWORD, "sslMode=DISABLED")).isEqualTo(3159);
        assertThat(connect("native", PASSWORD, "sslMode=PREFERRED")).isEqualTo(IN);
    }

    @Test
    void whereTlsIsOffNobodyIsOfferedIt() {
        restart(TlsSettings.OFF);

        assertThat(connect("native", PASSWORD, "sslMode=PREFERRED")).isEqualTo(IN);
        assertThat(connect("native", PASSWORD, "sslMode=REQUIRED")).isZero();
        assertThat(logins).hasSize(1);
    }

    @Test
    void aCertificateFromFilesIsTheOneThatClientsSee() throws Exception {
        SelfSigned made = SelfSigned.of("files", Instant.now());
        Path certificate = folder.resolve("certificate.pem");
        Path key = folder.resolve("key.pem");
        pem(certificate, "CERTIFICATE", made.certificate().getEncoded());
        pem(key, "PRIVATE KEY", made.key().getEncoded());
        restart(new TlsSettings(TlsSettings.Mode.OFFERED, certificate, key));
        String trusting =
                "sslMode=VERIFY_CA&trustCertificateKeyStoreType=PEM&trustCertificateKeyStoreUrl=";
        Path store = folder.resolve("store");
        java.security.KeyStore keys = java.security.KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setCertificateEntry("quire", made.certificate());
        try (var out = Files.newOutputStream(store)) {
            keys.store(out, "store".toCharArray());
        }

        assertThat(
                        connect(
                                "native",
                                PASSWORD,
                                trusting.replace("PEM", "PKCS12")
                                        + store.toUri()
                                        + "&trustCertificateKeyStorePassword=store"))
                .isEqualTo(IN);
        restart(TlsSettings.OFFERED);
        assertThat(
                        connect(
                                "native",
                                PASSWORD,
                                trusting.replace("PEM", "PKCS12")
                                        + store.toUri()
                                        + "&trustCertificateKeyStorePassword=store"))
                .isZero();
    }

    @Test
    void filesThatAreNoCertificateEndTheStart() throws Exception {
        Path nothing = Files.writeString(folder.resolve("nothing.pem"), "nothing");

        assertThatThrownBy(
                        () -> Tls.of(new TlsSettings(TlsSettings.Mode.OFFERED, nothing, nothing)))
                .isInstanceOf(QuireException.class)
                .hasMessageContaining("scheduler.tls.certificateFile");
    }

    private static void pem(Path file, String what, byte[] content) throws IOException {
        Files.writeString(
                file,
                "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
                        .formatted(
                                what,
                                Base64.getMimeEncoder(64, new byte[] {'\n'})
                                        .encodeToString(content)));
    }

    /// Packets in clear behind the request for TLS, in the same read, are no login.
    @Test
    void whatComesInClearBehindTheRequestForTlsIsNoPacket() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            skipPacket(in);
            byte[] request = packet(1, login(Capability.SSL, false));
            byte[] behind = packet(2, login(0, true));
            byte[] both = new byte[request.length + behind.length];
            System.arraycopy(request, 0, both, 0, request.length);
            System.arraycopy(behind, 0, both, request.length, behind.length);
            socket.getOutputStream().write(both);
            byte[] answer = in.readAllBytes();

            assertThat(answer.length == 0 || answer[0] == 21) // a TLS alert at most
                    .as("answered %s", java.util.HexFormat.of().formatHex(answer))
                    .isTrue();
        }
        assertThat(logins).isEmpty();
    }

    /// The same login alone gets in, so that the test above can fail.
    @Test
    void theSameLoginInClearWithoutTheRequestIsOne() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            skipPacket(in);
            socket.getOutputStream().write(packet(1, login(0, true)));
            in.readAllBytes();
        }
        assertThat(logins).hasSize(1);
    }

    /// TLS 1.2 lets a client ask for it at any time, and each costs the server a signature.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whoBeginsASecondHandshakeIsCutOff(int handshakes) throws Exception {
        SSLContext trusting = SSLContext.getInstance("TLSv1.2");
        trusting.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            skipPacket(new DataInputStream(socket.getInputStream()));
            socket.getOutputStream().write(packet(1, login(Capability.SSL, false)));
            SSLSocket tls =
                    (SSLSocket)
                            trusting.getSocketFactory()
                                    .createSocket(socket, "quire", server.port(), true);
            try {
                for (int i = 0; i < handshakes; i++) {
                    tls.startHandshake();
                }
                tls.getOutputStream().write(packet(2, login(Capability.SSL, true)));
                tls.getInputStream().readAllBytes();
            } catch (IOException e) {
                assertThat(handshakes).as("cut off by %s", e).isEqualTo(2);
            }
        }
        assertThat(logins).hasSize(handshakes == 1 ? 1 : 0);
    }

    private static void skipPacket(DataInputStream in) throws IOException {
        byte[] header = in.readNBytes(4);
        in.skipNBytes((header[0] & 0xFF) | (header[1] & 0xFF) << 8 | (header[2] & 0xFF) << 16);
    }

    private static byte[] packet(int sequence, byte[] payload) {
        byte[] packet = new byte[4 + payload.length];
        packet[0] = (byte) payload.length;
        packet[3] = (byte) sequence;
        System.arraycopy(payload, 0, packet, 4, payload.length);
        return packet;
    }

    /// Of the account without password.
    private static byte[] login(int flags, boolean name) {
        PacketWriter writer =
                new PacketWriter()
                        .int4(
                                flags
                                        | Capability.PROTOCOL_41
                                        | Capability.SECURE_CONNECTION
                                        | Capability.PLUGIN_AUTH)
                        .int4(1 << 24)
                        .int1(45)
                        .zeros(23);
        return name
                ? writer.nullTerminated("open").int1(0).nullTerminated(Proofs.NATIVE).toByteArray()
                : writer.toByteArray();
    }
}
