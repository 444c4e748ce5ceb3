package org.quiredb.scheduler.account;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/// What a client proves about its password, by the two methods of MySQL.
///
/// In both a client sends `H(password) xor H(challenge and H(H(password)))`, so that who knows
/// `H(H(password))` finds `H(password)` and sees that its hash is the one it knows. The methods
/// differ in H (SHA-1, SHA-256) and in the order of what the second hash is of.
public final class Proofs {
    public static final String NATIVE = "mysql_native_password";
    public static final String CACHING_SHA2 = "caching_sha2_password";

    private Proofs() {}

    /// Whether the proof is of the password.
    ///
    /// @param nonce the 20 bytes that the client was challenged with
    public static boolean proved(String method, String password, byte[] nonce, byte[] proof) {
        if (password.isEmpty()) {
            return proof.length == 0;
        }
        byte[] once = hash(method, password.getBytes(StandardCharsets.UTF_8));
        return MessageDigest.isEqual(proof, xor(once, mask(method, hash(method, once), nonce)));
    }

    /// `SHA1(password)` when the proof is of a password whose double hash this is.
    ///
    /// @param doubleHash `SHA1(SHA1(password))`, as MySQL keeps it
    public static Optional<byte[]> nativeHash(byte[] doubleHash, byte[] nonce, byte[] proof) {
        if (proof.length != doubleHash.length) {
            return Optional.empty();
        }
        byte[] once = xor(proof, mask(NATIVE, doubleHash, nonce));
        return Optional.of(once)
                .filter(found -> MessageDigest.isEqual(hash(NATIVE, found), doubleHash));
    }

    /// The proof of the password whose hash this is.
    public static byte[] nativeProof(byte[] passwordHash, byte[] nonce) {
        return xor(passwordHash, mask(NATIVE, hash(NATIVE, passwordHash), nonce));
    }

    /// What mysql_native_password keeps of a password: nothing of none.
    public static byte[] doubleHash(String password) {
        return password.isEmpty()
                ? new byte[0]
                : hash(NATIVE, hash(NATIVE, password.getBytes(StandardCharsets.UTF_8)));
    }

    /// By the hash function of the method.
    public static byte[] hash(String method, byte[]... inputs) {
        try {
            MessageDigest digest =
                    MessageDigest.getInstance(method.equals(NATIVE) ? "SHA-1" : "SHA-256");
            for (byte[] input : inputs) {
                digest.update(input);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has both", e);
        }
    }

    private static byte[] mask(String method, byte[] doubleHash, byte[] nonce) {
        return method.equals(NATIVE)
                ? hash(method, nonce, doubleHash)
                : hash(method, doubleHash, nonce);
    }

    /// The first, with the second laid over it again and again.
    static byte[] xor(byte[] a, byte[] b) {
        byte[] result = a.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] ^= b[i % b.length];
        }
        return result;
    }
}
