package org.quiredb.scheduler.account;

import java.util.Arrays;

/// How an account's password is checked. Equal ones are: what is computed for an account is kept
/// for each of its logins.
public sealed interface PasswordVerifier {
    /// It is known: either method will do.
    final class Known implements PasswordVerifier {
        private final String password;

        public Known(String password) {
            this.password = password;
        }

        public String password() {
            return password;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Known that && that.password.equals(password);
        }

        @Override
        public int hashCode() {
            return password.hashCode();
        }
    }

    /// mysql_native_password.
    final class NativeHash implements PasswordVerifier {
        private final byte[] doubleHash;

        /// @param doubleHash `SHA1(SHA1(password))`, nothing for none
        public NativeHash(byte[] doubleHash) {
            this.doubleHash = doubleHash.clone();
        }

        public byte[] doubleHash() {
            return doubleHash.clone();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof NativeHash that && Arrays.equals(that.doubleHash, doubleHash);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(doubleHash);
        }
    }

    /// caching_sha2_password: the salted hash takes thousands of rounds to check, so the backend is
    /// asked, and what it has said once is remembered for as long as the hash is this one.
    ///
    /// @param hash nothing for no password
    record Sha2Hash(String hash) implements PasswordVerifier {}

    /// Another plugin, which Quire does not speak.
    record Other(String plugin) implements PasswordVerifier {}
}
