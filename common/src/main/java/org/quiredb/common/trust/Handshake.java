package org.quiredb.common.trust;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.SecureRandom;

/// How two holders of the secret know each other. Three messages of fixed lengths:
///
/// ```
/// client: MAGIC, its nonce
/// server: MAGIC, its nonce, its proof
/// client: its proof
/// ```
///
/// The proofs and the keys of both directions are cut from one derivation of the secret with both
/// nonces, so a proof tells nothing of a key, and the server's is not the client's.
public final class Handshake {
    /// Longer than a frame may be, so that it is never taken for one's beginning.
    public static final int MAGIC = 0x51525401;

    public static final int NONCE_BYTES = 32;
    public static final int PROOF_BYTES = 32;
    public static final int HELLO_BYTES = Integer.BYTES + NONCE_BYTES;
    public static final int ANSWER_BYTES = HELLO_BYTES + PROOF_BYTES;

    private static final int KEY_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    /// What the connection is for: one that was made for the first does not serve the other.
    public enum Purpose {
        RPC("quire rpc 1"),
        GROUP("quire group 1");

        private final String text;

        Purpose(String text) {
            this.text = text;
        }
    }

    private final byte[] serverProof;
    private final byte[] clientProof;
    private final byte[] toServer;
    private final byte[] toClient;

    private Handshake(
            ClusterSecret secret, Purpose purpose, byte[] clientNonce, byte[] serverNonce) {
        byte[] salt =
                ByteBuffer.allocate(2 * NONCE_BYTES).put(clientNonce).put(serverNonce).array();
        ByteBuffer derived =
                ByteBuffer.wrap(secret.derive(salt, purpose.text, 2 * PROOF_BYTES + 2 * KEY_BYTES));
        serverProof = next(derived, PROOF_BYTES);
        clientProof = next(derived, PROOF_BYTES);
        toServer = next(derived, KEY_BYTES);
        toClient = next(derived, KEY_BYTES);
    }

    /// The side that connects.
    public static final class Client {
        private final ClusterSecret secret;
        private final Purpose purpose;
        private final byte[] nonce = freshNonce();

        public Client(ClusterSecret secret, Purpose purpose) {
            this.secret = secret;
            this.purpose = purpose;
        }

        public byte[] hello() {
            return ByteBuffer.allocate(HELLO_BYTES).putInt(MAGIC).put(nonce).array();
        }

        /// @param answer of {@link #ANSWER_BYTES}
        /// @throws UntrustedException when the server does not hold the secret
        public Proved answered(byte[] answer) throws UntrustedException {
            ByteBuffer rest = ByteBuffer.wrap(answer);
            requireMagic(rest.getInt());
            Handshake derived = new Handshake(secret, purpose, nonce, next(rest, NONCE_BYTES));
            requireProof(derived.serverProof, next(rest, PROOF_BYTES));
            return new Proved(
                    derived.clientProof,
                    new SealedSession(
                            Seal.closing(derived.toServer), Seal.opening(derived.toClient)));
        }
    }

    /// @param proof to be sent to the server, before anything that the session closes
    @SuppressWarnings("ArrayRecordComponent") // owned by the connection, never compared
    public record Proved(byte[] proof, SealedSession session) {}

    /// The side that is connected to.
    public static final class Server {
        private final Handshake derived;
        private final byte[] answer;

        /// @param hello of {@link #HELLO_BYTES}
        public Server(ClusterSecret secret, Purpose purpose, byte[] hello)
                throws UntrustedException {
            ByteBuffer rest = ByteBuffer.wrap(hello);
            requireMagic(rest.getInt());
            byte[] nonce = freshNonce();
            derived = new Handshake(secret, purpose, next(rest, NONCE_BYTES), nonce);
            answer =
                    ByteBuffer.allocate(ANSWER_BYTES)
                            .putInt(MAGIC)
                            .put(nonce)
                            .put(derived.serverProof)
                            .array();
        }

        public byte[] answer() {
            return answer.clone();
        }

        /// @param proof of {@link #PROOF_BYTES}
        /// @throws UntrustedException when the client does not hold the secret
        public SealedSession proved(byte[] proof) throws UntrustedException {
            requireProof(derived.clientProof, proof);
            return new SealedSession(
                    Seal.closing(derived.toClient), Seal.opening(derived.toServer));
        }
    }

    private static byte[] freshNonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    private static byte[] next(ByteBuffer from, int length) {
        byte[] next = new byte[length];
        from.get(next);
        return next;
    }

    private static void requireMagic(int magic) throws UntrustedException {
        if (magic != MAGIC) {
            throw new UntrustedException("it does not begin as a holder of a secret does");
        }
    }

    private static void requireProof(byte[] expected, byte[] shown) throws UntrustedException {
        if (!MessageDigest.isEqual(expected, shown)) {
            throw new UntrustedException("it holds another secret");
        }
    }
}
