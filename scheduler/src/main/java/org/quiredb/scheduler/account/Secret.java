package org.quiredb.scheduler.account;

import java.security.MessageDigest;
import java.util.Arrays;

/// What Quire can log in to the backend with in place of a client.
///
/// It has no text, which could reach a log.
public sealed interface Secret {
    /// Nothing of the client's: an account of the configuration uses that of Quire.
    record Own() implements Secret {}

    final class Password implements Secret {
        private final String password;

        public Password(String password) {
            this.password = password;
        }

        public String password() {
            return password;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Password that && that.password.equals(password);
        }

        @Override
        public int hashCode() {
            return password.hashCode();
        }
    }

    /// Enough for mysql_native_password.
    final class NativeHash implements Secret {
        private final byte[] passwordHash;

        /// @param passwordHash `SHA1(password)`
        public NativeHash(byte[] passwordHash) {
            this.passwordHash = passwordHash.clone();
        }

        public byte[] passwordHash() {
            return passwordHash.clone();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof NativeHash that
                    && MessageDigest.isEqual(that.passwordHash, passwordHash);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(passwordHash);
        }
    }
}
