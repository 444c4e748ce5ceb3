package org.quiredb.scheduler.account;

/// One who may log in.
///
/// @param host from where, as a pattern of MySQL
/// @param origin whose it is
public record Account(
        String user,
        String host,
        Origin origin,
        PasswordVerifier verifier,
        State state,
        Transport transport) {
    public enum Origin {
        CONFIGURATION,
        BACKEND
    }

    public enum State {
        OPEN,
        LOCKED,
        EXPIRED
    }

    public enum Transport {
        ANY,
        TLS,
        /// TLS with a certificate of the client's, which Quire does not ask for.
        CERTIFICATE
    }

    /// With every right on the clients' databases, from anywhere.
    public static Account ofConfiguration(String user, String password) {
        return new Account(
                user,
                "%",
                Origin.CONFIGURATION,
                new PasswordVerifier.Known(password),
                State.OPEN,
                Transport.ANY);
    }
}
