package org.quiredb.scheduler.endpoint;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import javax.crypto.Cipher;

/// The key that clients without TLS encrypt a password by, in the full exchange of
/// caching_sha2_password.
///
/// It is made when the first client needs it, which takes a moment, and lasts as long as the
/// process. It vouches for nobody: who stands between could give a key of its own, so clients must
/// be told to ask for it (`allowPublicKeyRetrieval`, `--get-server-public-key`).
///
/// Threads: any.
final class PasswordKey {
    /// The packet that asks for the key.
    static final byte ASKED = 2;

    private static final int KEY_BITS = 2_048;
    private static final int LINE_CHARACTERS = 64;
    private static final byte MORE_DATA = 1;

    private final KeyPair pair;

    private PasswordKey(KeyPair pair) {
        this.pair = pair;
    }

    private static final class Holder {
        static final PasswordKey KEY = make();
    }

    static PasswordKey get() {
        return Holder.KEY;
    }

    static PasswordKey make() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(KEY_BITS);
            return new PasswordKey(generator.generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK makes RSA keys", e);
        }
    }

    /// The packet that tells it.
    byte[] answer() {
        byte[] newLine = {'\n'};
        String text =
                "-----BEGIN PUBLIC KEY-----\n"
                        + Base64.getMimeEncoder(LINE_CHARACTERS, newLine)
                                .encodeToString(pair.getPublic().getEncoded())
                        + "\n-----END PUBLIC KEY-----\n";
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        packet.write(MORE_DATA);
        packet.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
        return packet.toByteArray();
    }

    /// What the client encrypted; nothing when it was not by this key, which is no password.
    byte[] decrypt(byte[] encrypted, byte[] nonce) {
        try {
            Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPWithSHA-1AndMGF1Padding");
            cipher.init(Cipher.DECRYPT_MODE, pair.getPrivate());
            byte[] mixed = cipher.doFinal(encrypted);
            for (int i = 0; i < mixed.length; i++) {
                mixed[i] ^= nonce[i % nonce.length];
            }
            return mixed;
        } catch (GeneralSecurityException e) {
            return new byte[0];
        }
    }
}
