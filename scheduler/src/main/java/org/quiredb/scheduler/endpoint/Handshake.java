package org.quiredb.scheduler.endpoint;

import java.security.SecureRandom;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.PacketReader;
import org.quiredb.common.mysql.PacketWriter;
import org.quiredb.common.mysql.ServerStatus;

/// The first packets of a connection: who is there, and does it know the password.
///
/// A client that prefers another method than the one in the greeting is asked to switch to it.
final class Handshake {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int NONCE_BYTES = 20;
    private static final int UTF8MB4_GENERAL_CI = 45;

    private final ClientChannel channel;
    private final Account account;

    /// The one account that may connect.
    record Account(String user, String password) {}

    /// What the client said of itself.
    ///
    /// @param database empty for none
    record Client(int capabilities, String user, String database) {
        boolean has(int capability) {
            return (capabilities & capability) != 0;
        }
    }

    Handshake(ClientChannel channel, Account account) {
        this.channel = channel;
        this.account = account;
    }

    /// @throws QuireException with 1045 when the proof is wrong
    Client perform(String serverVersion, int connectionId) {
        byte[] nonce = nonce();
        channel.send(greeting(serverVersion, connectionId, nonce));
        PacketReader reader = new PacketReader(channel.take().payload());
        int capabilities = (int) reader.int4();
        if ((capabilities & Capability.PROTOCOL_41) == 0) {
            throw new QuireException(
                    ErrorCode.UNKNOWN_COMMAND,
                    "only protocol 4.1 is spoken here; TLS is not offered");
        }
        reader.skip(4 + 1 + 23);
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
                        : Password.NATIVE;
        prove(user, method, nonce, proof);
        return new Client(capabilities, user, database);
    }

    /// COM_CHANGE_USER: the proof of the new user for a fresh challenge.
    void prove(String user) {
        byte[] nonce = nonce();
        prove(user, Password.NATIVE, nonce, switchTo(Password.NATIVE, nonce));
    }

    private void prove(String user, String preferred, byte[] nonce, byte[] firstProof) {
        String method = preferred;
        byte[] proof = firstProof;
        if (!method.equals(Password.NATIVE)) {
            method = method.equals(Password.CACHING_SHA2) ? method : Password.NATIVE;
            proof = switchTo(method, nonce);
        }
        boolean known = user.equals(account.user());
        if (!Password.proved(method, account.password(), nonce, proof) || !known) {
            throw new QuireException(
                    ErrorCode.ACCESS_DENIED,
                    "Access denied for user '%s'@'%s' (using password: %s)"
                            .formatted(user, host(), proof.length > 0 ? "YES" : "NO"));
        }
        if (method.equals(Password.CACHING_SHA2) && proof.length > 0) {
            channel.send(new byte[] {1, 3});
        }
    }

    private String host() {
        String address = channel.address();
        int colon = address.lastIndexOf(':');
        return colon > 0 ? address.substring(address.indexOf('/') + 1, colon) : address;
    }

    private byte[] switchTo(String method, byte[] nonce) {
        channel.send(
                new PacketWriter()
                        .int1(0xFE)
                        .nullTerminated(method)
                        .raw(nonce)
                        .int1(0)
                        .toByteArray());
        return channel.take().payload();
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

    private static byte[] greeting(String serverVersion, int connectionId, byte[] nonce) {
        return new PacketWriter()
                .int1(10)
                .nullTerminated(serverVersion)
                .int4(connectionId)
                .raw(nonce, 0, 8)
                .int1(0)
                .int2(Capability.OFFERED & 0xFFFF)
                .int1(UTF8MB4_GENERAL_CI)
                .int2(ServerStatus.AUTOCOMMIT)
                .int2(Capability.OFFERED >>> 16)
                .int1(NONCE_BYTES + 1)
                .zeros(10)
                .raw(nonce, 8, NONCE_BYTES - 8)
                .int1(0)
                .nullTerminated(Password.NATIVE)
                .toByteArray();
    }
}
