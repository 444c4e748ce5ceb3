package org.quiredb.common.trust;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// Closes, or opens, the frames of one direction of one connection: AES-256-GCM under a key that
/// nothing else uses.
///
/// Invariant: a frame's nonce is its number, so that no nonce is used twice and only the next frame
/// of the direction opens.
///
/// Threads: one at a time, in the order of the frames.
public final class Seal {
    /// What a closed frame is longer.
    public static final int OVERHEAD_BYTES = 16;

    private static final int NONCE_BYTES = 12;

    private final Cipher cipher;
    private final SecretKey key;
    private final int mode;
    private final byte[] nonce = new byte[NONCE_BYTES];
    private long number;

    private Seal(byte[] key, int mode) {
        this.key = new SecretKeySpec(key, "AES");
        this.mode = mode;
        try {
            cipher = Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no AES-GCM", e);
        }
    }

    static Seal closing(byte[] key) {
        return new Seal(key, Cipher.ENCRYPT_MODE);
    }

    static Seal opening(byte[] key) {
        return new Seal(key, Cipher.DECRYPT_MODE);
    }

    /// Closes or opens the next frame.
    ///
    /// @param to another array than the first
    /// @return how many bytes are written
    /// @throws UntrustedException when it is not what the other side sent next
    public int apply(byte[] from, int offset, int length, byte[] to, int at)
            throws UntrustedException {
        ByteBuffer.wrap(nonce).putLong(NONCE_BYTES - Long.BYTES, number++);
        try {
            cipher.init(mode, key, new GCMParameterSpec(8 * OVERHEAD_BYTES, nonce));
            return cipher.doFinal(from, offset, length, to, at);
        } catch (AEADBadTagException e) {
            throw new UntrustedException("a frame that its sender did not send");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a frame of " + length + " bytes is not sealed", e);
        }
    }
}
