package org.quiredb.common.trust;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;

/// What all processes of a cluster hold, and nobody else.
public final class ClusterSecret {
    /// Of random text, so that nobody finds it by trying: it keys what anyone may record.
    public static final int LEAST_BYTES = 32;

    private final byte[] bytes;

    private ClusterSecret(byte[] bytes) {
        this.bytes = bytes;
    }

    /// @param text white space at its ends does not count
    /// @throws IllegalArgumentException when it is too short
    public static ClusterSecret of(String text) {
        byte[] bytes = text.strip().getBytes(StandardCharsets.UTF_8);
        if (bytes.length < LEAST_BYTES) {
            throw new IllegalArgumentException(
                    "the cluster's secret has %d bytes, at least %d are needed; openssl rand -hex 32 makes one"
                            .formatted(bytes.length, LEAST_BYTES));
        }
        return new ClusterSecret(bytes);
    }

    /// HKDF-SHA256 (RFC 5869).
    byte[] derive(byte[] salt, String purpose, int lengthBytes) {
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(
                            HKDFParameterSpec.ofExtract()
                                    .addIKM(bytes)
                                    .addSalt(salt)
                                    .thenExpand(
                                            purpose.getBytes(StandardCharsets.UTF_8), lengthBytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no HKDF-SHA256", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClusterSecret secret && Arrays.equals(bytes, secret.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "a secret";
    }
}
