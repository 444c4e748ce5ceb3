package org.quiredb.scheduler.account;

import java.util.List;
import java.util.Set;

/// What a backend's tables of accounts hold, whether it is MariaDB or MySQL.
///
/// @param granted which role a user, or another role, was granted
/// @param defaults which role is a user's from its login on
/// @param resolvesNames whether a client of this machine is from `localhost`, not from an address
public record GrantTables(
        List<User> users,
        List<OfDatabase> databases,
        List<OfTable> tables,
        List<Role> granted,
        List<Role> defaults,
        boolean resolvesNames) {
    public static final GrantTables EMPTY =
            new GrantTables(List.of(), List.of(), List.of(), List.of(), List.of(), false);

    /// @param name empty for an account of anybody
    public record Name(String name, String host) {}

    /// @param plugin empty for mysql_native_password
    /// @param sslType as `mysql.user` has it: empty, ANY, X509 or SPECIFIED
    /// @param role it is no account
    public record User(
            Name name,
            String plugin,
            String hash,
            String sslType,
            boolean locked,
            boolean expired,
            boolean role,
            Set<Privilege> everywhere) {}

    /// @param pattern of databases
    public record OfDatabase(Name name, String pattern, Set<Privilege> privileges) {}

    public record OfTable(Name name, String database, String table, Set<Privilege> privileges) {}

    public record Role(Name holder, Name role) {}
}
