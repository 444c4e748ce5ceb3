package org.quiredb.scheduler.endpoint;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// Checks what a client proves about a password, by the two methods of MySQL.
///
/// The server has the password itself, so caching_sha2_password always takes its fast path.
final class Password {
    static final String NATIVE = "mysql_native_password";
    static final String CACHING_SHA2 = "caching_sha2_password";

    private Password() {}

    /// @param nonce the 20 bytes that the client was challenged with
    static boolean proved(String method, String password, byte[] nonce, byte[] proof) {
        if (password.isEmpty()) {
            return proof.length == 0;
        }
        return MessageDigest.isEqual(
                method.equals(NATIVE) ? nativeProof(password, nonce) : sha2Proof(password, nonce),
                proof);
    }

    private static byte[] nativeProof(String password, byte[] nonce) {
        byte[] once = digest("SHA-1", password.getBytes(StandardCharsets.UTF_8));
        return xor(once, digest("SHA-1", nonce, digest("SHA-1", once)));
    }

    private static byte[] sha2Proof(String password, byte[] nonce) {
        byte[] once = digest("SHA-256", password.getBytes(StandardCharsets.UTF_8));
        return xor(once, digest("SHA-256", digest("SHA-256", once), nonce));
    }

    private static byte[] xor(byte[] a, byte[] b) {
        byte[] result = a.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] ^= b[i];
        }
        return result;
    }

    private static byte[] digest(String algorithm, byte[]... inputs) {
        try {
            MessageDigest digest = MessageDigest.getInstance(algorithm);
            for (byte[] input : inputs) {
                digest.update(input);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + algorithm, e);
        }
    }
}
