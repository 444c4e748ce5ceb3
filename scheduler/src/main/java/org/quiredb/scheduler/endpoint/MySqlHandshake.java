package org.quiredb.scheduler.endpoint;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.PacketReader;
import org.quiredb.common.mysql.PacketWriter;
import org.quiredb.common.mysql.ServerStatus;
import org.quiredb.scheduler.account.Account;
import org.quiredb.scheduler.account.Accounts;
import org.quiredb.scheduler.account.FailedLogins;
import org.quiredb.scheduler.account.Login;
import org.quiredb.scheduler.account.PasswordVerifier;
import org.quiredb.scheduler.account.Proofs;

/// The first packets of a connection: over TLS or not, who is there, and does it know the password.
///
/// Threads: owned by the connection's thread.
final class MySqlHandshake {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int NONCE_BYTES = 20;
    private static final int UTF8MB4_GENERAL_CI = 45;
    private static final int PACKET_BYTES = 4;
    private static final int ZEROES = 19;

    private final ClientChannel channel;
    private final Accounts accounts;
    private final @Nullable Tls tls;
    private final boolean tlsRequired;
    private final boolean mariaDb;
    private final FailedLogins failedLogins;
    private boolean secure;

    /// What the client said of itself.
    ///
    /// @param mariaDbCapabilities those of MariaDB's own, 0 for another's client
    /// @param collation the number of one of the character set that it speaks
    /// @param database empty for none
    /// @param vouching for the server's certificate, empty where there is nothing to
    record Client(
            int capabilities,
            int mariaDbCapabilities,
            int collation,
            Login login,
            String database,
            String vouching) {
        boolean takesExtendedMetadata() {
            return (mariaDbCapabilities & Capability.MARIADB_EXTENDED_METADATA) != 0;
        }

        boolean has(int capability) {
            return (capabilities & capability) != 0;
        }
    }

    /// @param tls null where it is not offered
    /// @param mariaDb whether it is a MariaDB's, and offers what only that has
    MySqlHandshake(
            ClientChannel channel,
            Accounts accounts,
            FailedLogins failedLogins,
            @Nullable Tls tls,
            TlsSettings.Mode mode,
            boolean mariaDb) {
        this.channel = channel;
        this.accounts = accounts;
        this.failedLogins = failedLogins;
        this.tls = tls;
        this.mariaDb = mariaDb;
        this.tlsRequired = mode == TlsSettings.Mode.REQUIRED;
    }

    /// @throws QuireException with 1045 when the proof is wrong
    Client perform(String serverVersion, int connectionId) {
        byte[] nonce = nonce();
        channel.send(greeting(serverVersion, connectionId, nonce));
        byte[] first = channel.take().payload();
        if (tls != null && TlsStart.isRequest(capabilities(first), first.length)) {
            secure = true; // TlsStart sees to it that whatever comes now was encrypted
            first = channel.take().payload();
        }
        PacketReader reader = new PacketReader(first);
        int capabilities = (int) reader.int4();
        if ((capabilities & Capability.PROTOCOL_41) == 0) {
            throw new QuireException(ErrorCode.UNKNOWN_COMMAND, "only protocol 4.1 is spoken here");
        }
        reader.skip(PACKET_BYTES);
        int collation = reader.int1();
        reader.skip(ZEROES);
        int own = (int) reader.int4();
        boolean takesOwn = mariaDb && (capabilities & Capability.LONG_PASSWORD) == 0;
        if (reader.remaining() == 0) {
            throw new QuireException(ErrorCode.UNKNOWN_COMMAND, "TLS is not offered");
        }
        String user = reader.nullTerminated();
        byte[] proof = proof(reader, capabilities);
        String database =
                (capabilities & Capability.CONNECT_WITH_DB) != 0 && reader.remaining() > 0
                        ? reader.nullTerminated()
                        : "";
        String method =
                (capabilities & Capability.PLUGIN_AUTH) != 0 && reader.remaining() > 0
                        ? reader.nullTerminated()
                        : Proofs.NATIVE;
        if (tlsRequired && !secure) {
            throw new QuireException(
                    ErrorCode.SECURE_TRANSPORT_REQUIRED,
                    "Connections using insecure transport are prohibited while --require_secure_transport=ON.");
        }
        Login login = prove(user, nonce, method, proof);
        return new Client(
                capabilities,
                takesOwn ? own : 0,
                collation,
                login,
                database,
                vouching(login, nonce));
    }

    private static int capabilities(byte[] packet) {
        return packet.length < 4 ? 0 : (int) new PacketReader(packet).int4();
    }

    /// COM_CHANGE_USER: the proof of the new user for a fresh challenge.
    Login prove(String user) {
        return prove(user, nonce(), "", new byte[0]);
    }

    private Login prove(String user, byte[] nonce, String method, byte[] proof) {
        String host = channel.host();
        if (!failedLogins.begins(user, host, nowMillis())) {
            throw new QuireException(
                    ErrorCode.HOST_IS_BLOCKED,
                    "Host '%s' is blocked for this account because of many wrong passwords; try again in some seconds"
                            .formatted(host));
        }
        try {
            return heard(user, host, nonce, method, proof);
        } finally {
            failedLogins.over(user, host);
        }
    }

    private Login heard(String user, String host, byte[] nonce, String method, byte[] proof) {
        Authentication authentication =
                new Authentication(channel, accounts, nonce, secure, method, proof);
        Optional<Account> account = accounts.find(user, host);
        Optional<Login> login =
                authentication
                        .prove(account)
                        .flatMap(secret -> account.map(found -> new Login(found, host, secret)))
                        .filter(proved -> Authentication.mayCome(proved.account(), secure));
        if (login.isEmpty()) {
            slowDown(user, host);
            throw new QuireException(
                    ErrorCode.ACCESS_DENIED,
                    "Access denied for user '%s'@'%s' (using password: %s)"
                            .formatted(user, host, authentication.usedPassword() ? "YES" : "NO"));
        }
        requireOpen(login.get().account());
        return login.get();
    }

    private void slowDown(String user, String host) {
        try {
            Thread.sleep(Duration.ofMillis(failedLogins.failed(user, host, nowMillis())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClientGone("the scheduler stops");
        }
    }

    private static long nowMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    private static void requireOpen(Account account) {
        switch (account.state()) {
            case OPEN -> {}
            case LOCKED ->
                    throw new QuireException(
                            ErrorCode.ACCOUNT_LOCKED, "Access denied, this account is locked");
            case EXPIRED ->
                    throw new QuireException(
                            ErrorCode.PASSWORD_EXPIRED,
                            "Your password has expired. To log in you must change it on the backend.");
        }
    }

    /// Only mysql_native_password has a hash that both sides know.
    private String vouching(Login login, byte[] nonce) {
        if (tls == null || !secure) {
            return "";
        }
        byte[] doubleHash =
                switch (login.account().verifier()) {
                    case PasswordVerifier.NativeHash hash -> hash.doubleHash();
                    case PasswordVerifier.Known known -> Proofs.doubleHash(known.password());
                    case PasswordVerifier.Sha2Hash _, PasswordVerifier.Other _ -> new byte[0];
                };
        return doubleHash.length == 0 ? "" : tls.vouch(doubleHash, nonce);
    }

    private static byte[] proof(PacketReader reader, int capabilities) {
        if ((capabilities & Capability.PLUGIN_AUTH_LENENC_DATA) != 0) {
            return reader.lenencBytes();
        }
        return reader.raw(reader.int1());
    }

    private static byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        for (int i = 0; i < nonce.length; i++) {
            nonce[i] = (byte) ((nonce[i] & 0x7F) | 1); // neither 0, which ends it, nor above ASCII
        }
        return nonce;
    }

    private byte[] greeting(String serverVersion, int connectionId, byte[] nonce) {
        int all = Capability.OFFERED | (tls == null ? 0 : Capability.SSL);
        int offered = mariaDb ? all & ~Capability.LONG_PASSWORD : all;
        return new PacketWriter()
                .int1(10)
                .nullTerminated(serverVersion)
                .int4(connectionId)
                .raw(nonce, 0, 8)
                .int1(0)
                .int2(offered & 0xFFFF)
                .int1(UTF8MB4_GENERAL_CI)
                .int2(ServerStatus.AUTOCOMMIT)
                .int2(offered >>> 16)
                .int1(NONCE_BYTES + 1)
                .zeros(6)
                .int4(mariaDb ? Capability.MARIADB_EXTENDED_METADATA : 0)
                .raw(nonce, 8, NONCE_BYTES - 8)
                .int1(0)
                .nullTerminated(Proofs.NATIVE)
                .toByteArray();
    }
}
