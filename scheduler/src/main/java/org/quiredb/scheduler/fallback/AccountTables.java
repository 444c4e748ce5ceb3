package org.quiredb.scheduler.fallback;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.quiredb.scheduler.account.GrantTables;
import org.quiredb.scheduler.account.GrantTables.Name;
import org.quiredb.scheduler.account.GrantTables.OfDatabase;
import org.quiredb.scheduler.account.GrantTables.OfTable;
import org.quiredb.scheduler.account.GrantTables.Role;
import org.quiredb.scheduler.account.GrantTables.User;
import org.quiredb.scheduler.account.Privilege;

/// Reads a backend's accounts. Where MariaDB and MySQL differ, their tables tell which it is.
final class AccountTables {
    private static final String MARIADB = "mariadb";

    private AccountTables() {}

    static GrantTables read(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            boolean mariaDb =
                    one(statement, "SELECT VERSION()").toLowerCase(Locale.ROOT).contains(MARIADB);
            Set<Name> locked = new HashSet<>();
            if (mariaDb) {
                each(
                        statement,
                        "SELECT User, Host FROM mysql.global_priv"
                                + " WHERE IFNULL(JSON_VALUE(Priv, '$.account_locked'), '0') NOT IN ('', '0', 'false')",
                        row -> locked.add(name(row)));
            }
            List<User> users = new ArrayList<>();
            List<Role> defaults = new ArrayList<>();
            each(
                    statement,
                    "SELECT * FROM mysql.user",
                    row -> {
                        users.add(user(row, mariaDb, locked));
                        if (mariaDb && !text(row, "default_role").isEmpty()) {
                            Name role = new Name(text(row, "default_role"), "");
                            defaults.add(new Role(name(row), role));
                        }
                    });
            List<OfDatabase> databases = new ArrayList<>();
            each(
                    statement,
                    "SELECT * FROM mysql.db",
                    row -> databases.add(new OfDatabase(name(row), text(row, "Db"), flags(row))));
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

    private static void each(Statement statement, String sql, Row row) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                row.take(rows);
            }
        }
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

    private static User user(ResultSet row, boolean mariaDb, Set<Name> locked) throws SQLException {
        // MySQL can take single databases out of a right on all; then none of those is relied on.
        boolean restricted = !mariaDb && text(row, "User_attributes").contains("Restrictions");
        return new User(
                name(row),
                text(row, "plugin"),
                text(row, "authentication_string"),
                text(row, "ssl_type"),
                mariaDb ? locked.contains(name(row)) : text(row, "account_locked").equals("Y"),
                text(row, "password_expired").equals("Y"),
                mariaDb && text(row, "is_role").equals("Y"),
                restricted ? Set.of() : flags(row));
    }

    private static Set<Privilege> flags(ResultSet row) throws SQLException {
        Set<Privilege> privileges = EnumSet.noneOf(Privilege.class);
        for (Privilege privilege : Privilege.values()) {
            if ("Y".equals(row.getString(privilege.column()))) {
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
