package org.quiredb.scheduler.fallback;

import java.util.List;
import org.quiredb.scheduler.account.Login;

/// What a backend connection must take on to answer for a client.
///
/// @param login as whom
/// @param database empty for none
/// @param assignments SET statements, in order
public record BackendSession(BackendLogin login, String database, List<String> assignments) {
    /// Of a client, with its own rights.
    public BackendSession(Login client, String database, List<String> assignments) {
        this(BackendLogin.of(client), database, assignments);
    }

    /// Quire's own.
    static final BackendSession OWN = new BackendSession(BackendLogin.OWN, "", List.of());
}
