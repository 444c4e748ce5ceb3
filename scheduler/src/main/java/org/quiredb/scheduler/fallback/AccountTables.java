package org.quiredb.scheduler.fallback;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.quiredb.scheduler.account.GrantTables;
import org.quiredb.scheduler.account.GrantTables.Name;
import org.quiredb.scheduler.account.GrantTables.OfDatabase;
import org.quiredb.scheduler.account.GrantTables.OfTable;
import org.quiredb.scheduler.account.GrantTables.Role;
import org.quiredb.scheduler.account.GrantTables.User;
import org.quiredb.scheduler.account.Privilege;

/// Reads a backend's accounts. Where MariaDB and MySQL differ, their tables tell which it is.
///
/// Threads: one.
final class AccountTables {
    private static final String MARIADB = "mariadb";

    /// What the view `mysql.user` does not show; a password may have a lifetime in days, of its own
    /// or of all.
    private static final String OF_MARIADB =
            """
            SELECT User, Host, access, locked, (UNIX_TIMESTAMP() - changed) DIV 86400 >= NULLIF(days, 0)
                AS password_aged
            FROM (SELECT User, Host, JSON_VALUE(Priv, '$.access') AS access,
                IFNULL(JSON_VALUE(Priv, '$.account_locked'), '0') NOT IN ('', '0', 'false') AS locked,
                JSON_VALUE(Priv, '$.password_last_changed') AS changed,
                IF(IFNULL(JSON_VALUE(Priv, '$.password_lifetime'), -1) < 0, @@default_password_lifetime,
                    JSON_VALUE(Priv, '$.password_lifetime')) AS days
                FROM mysql.global_priv) accounts\
            """;

    private static final String USERS_OF_MYSQL =
            """
            SELECT u.*, TIMESTAMPDIFF(DAY, password_last_changed, NOW())
                >= NULLIF(IFNULL(password_lifetime, @@default_password_lifetime), 0) AS password_aged
            FROM mysql.user u\
            """;

    /// What says nothing of rights: a session outlives a change of its account's password.
    private static final Pattern OF_PASSWORDS =
            Pattern.compile("plugin|auth.*|password.*|priv", Pattern.CASE_INSENSITIVE);

    /// What a server looks at anew with each statement.
    private static final String OF_TABLES = "Table_priv";

    private final MessageDigest digest = sha256();

    private AccountTables() {}

    /// @param fingerprint of the rights that a server settles before it runs statements, those
    ///   included that Quire does not ask for
    record Read(GrantTables tables, String fingerprint) {}

    static Read read(Connection connection) throws SQLException {
        AccountTables reader = new AccountTables();
        GrantTables tables = reader.tables(connection);
        return new Read(tables, HexFormat.of().formatHex(reader.digest.digest()));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }

    private GrantTables tables(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            boolean mariaDb =
                    one(statement, "SELECT VERSION()").toLowerCase(Locale.ROOT).contains(MARIADB);
            Set<Name> locked = new HashSet<>();
            Set<Name> aged = new HashSet<>();
            if (mariaDb) {
                each(
                        statement,
                        OF_MARIADB,
                        row -> {
                            if (row.getBoolean("locked")) {
                                locked.add(name(row));
                            }
                            if (row.getBoolean("password_aged")) {
                                aged.add(name(row));
                            }
                        });
            }
            List<User> users = new ArrayList<>();
            List<Role> defaults = new ArrayList<>();
            each(
                    statement,
                    mariaDb ? "SELECT * FROM mysql.user" : USERS_OF_MYSQL,
                    row -> {
                        if (!mariaDb && row.getBoolean("password_aged")) {
                            aged.add(name(row));
                        }
                        users.add(user(row, mariaDb, locked, aged));
                        if (mariaDb && !text(row, "default_role").isEmpty()) {
                            Name role = new Name(text(row, "default_role"), "");
                            defaults.add(new Role(name(row), role));
                        }
                    });
            List<OfDatabase> databases = new ArrayList<>();
            each(
                    statement,
                    "SELECT * FROM mysql.db",
                    row ->
                            databases.add(
                                    new OfDatabase(name(row), text(row, "Db"), flags(row, true))));
            List<OfTable> tables = new ArrayList<>();
            each(
                    statement,
                    "SELECT User, Host, Db, Table_name, Table_priv FROM mysql.tables_priv",
                    row ->
                            tables.add(
                                    new OfTable(
                                            name(row),
                                            text(row, "Db"),
                                            text(row, "Table_name"),
                                            words(text(row, "Table_priv")))));
            List<Role> granted = new ArrayList<>();
            if (mariaDb) {
                each(
                        statement,
                        "SELECT User, Host, Role FROM mysql.roles_mapping",
                        row -> granted.add(new Role(name(row), new Name(text(row, "Role"), ""))));
            } else {
                each(
                        statement,
                        "SELECT TO_USER AS User, TO_HOST AS Host, FROM_USER, FROM_HOST FROM mysql.role_edges",
                        row -> granted.add(role(row, "FROM_USER", "FROM_HOST")));
                each(
                        statement,
                        "SELECT USER AS User, HOST AS Host, DEFAULT_ROLE_USER, DEFAULT_ROLE_HOST FROM mysql.default_roles",
                        row -> defaults.add(role(row, "DEFAULT_ROLE_USER", "DEFAULT_ROLE_HOST")));
            }
            boolean resolvesNames = one(statement, "SELECT @@skip_name_resolve").equals("0");
            return new GrantTables(users, databases, tables, granted, defaults, resolvesNames);
        }
    }

    private interface Row {
        void take(ResultSet row) throws SQLException;
    }

    private void each(Statement statement, String sql, Row row) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            List<String> settled = settled(rows.getMetaData());
            while (rows.next()) {
                for (String column : settled) {
                    String value = rows.getString(column) + "\0";
                    digest.update(value.getBytes(StandardCharsets.UTF_8));
                }
                row.take(rows);
            }
        }
    }

    private static List<String> settled(ResultSetMetaData columns) throws SQLException {
        List<String> settled = new ArrayList<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            String column = columns.getColumnLabel(i);
            if (column.equals(OF_TABLES)) {
                return List.of();
            }
            if (!OF_PASSWORDS.matcher(column).matches()) {
                settled.add(column);
            }
        }
        return settled;
    }

    private static String one(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return String.valueOf(rows.getString(1));
        }
    }

    private static Name name(ResultSet row) throws SQLException {
        return new Name(text(row, "User"), text(row, "Host"));
    }

    private static Role role(ResultSet row, String user, String host) throws SQLException {
        return new Role(name(row), new Name(text(row, user), text(row, host)));
    }

    private static User user(ResultSet row, boolean mariaDb, Set<Name> locked, Set<Name> aged)
            throws SQLException {
        // MySQL can take single databases out of a right on all; then none of those is relied on.
        boolean restricted = !mariaDb && text(row, "User_attributes").contains("Restrictions");
        return new User(
                name(row),
                text(row, "plugin"),
                text(row, "authentication_string"),
                text(row, "ssl_type"),
                mariaDb ? locked.contains(name(row)) : text(row, "account_locked").equals("Y"),
                text(row, "password_expired").equals("Y") || aged.contains(name(row)),
                mariaDb && text(row, "is_role").equals("Y"),
                restricted ? Set.of() : flags(row, false));
    }

    private static Set<Privilege> flags(ResultSet row, boolean ofDatabase) throws SQLException {
        Set<Privilege> privileges = EnumSet.noneOf(Privilege.class);
        for (Privilege privilege : Privilege.values()) {
            boolean told = privilege.isOfDatabases() || !ofDatabase;
            if (told && "Y".equals(row.getString(privilege.column()))) {
                privileges.add(privilege);
            }
        }
        return privileges;
    }

    private static Set<Privilege> words(String granted) {
        Set<Privilege> privileges = EnumSet.noneOf(Privilege.class);
        for (String word : granted.split(",", -1)) {
            for (Privilege privilege : Privilege.values()) {
                if (privilege.words().equalsIgnoreCase(word)) {
                    privileges.add(privilege);
                }
            }
        }
        return privileges;
    }

    private static String text(ResultSet row, String column) throws SQLException {
        String value = row.getString(column);
        return value == null ? "" : value;
    }
}
