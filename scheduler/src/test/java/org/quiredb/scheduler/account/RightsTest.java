package org.quiredb.scheduler.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.quiredb.scheduler.account.GrantTables.Name;
import org.quiredb.scheduler.account.GrantTables.OfDatabase;
import org.quiredb.scheduler.account.GrantTables.OfTable;
import org.quiredb.scheduler.account.GrantTables.Role;
import org.quiredb.scheduler.account.GrantTables.User;

final class RightsTest {
    private static final String HERE = "10.1.2.3";

    private final List<User> users = new ArrayList<>();
    private final List<OfDatabase> databases = new ArrayList<>();
    private final List<OfTable> tables = new ArrayList<>();
    private final List<Role> granted = new ArrayList<>();
    private final List<Role> defaults = new ArrayList<>();

    private void user(String name, String host, Privilege... everywhere) {
        users.add(user(new Name(name, host), false, Set.of(everywhere)));
    }

    private static User user(Name name, boolean role, Set<Privilege> everywhere) {
        return new User(name, "", "", "", false, false, role, everywhere);
    }

    private void database(String name, String host, String pattern, Privilege... privileges) {
        databases.add(new OfDatabase(new Name(name, host), pattern, Set.of(privileges)));
    }

    private Grants grants(boolean resolvesNames) {
        return new Grants(
                new GrantTables(users, databases, tables, granted, defaults, resolvesNames));
    }

    private Rights rights(String user) {
        Grants grants = grants(false);
        return grants.rights(grants.find(user, HERE).orElseThrow(), HERE);
    }

    private static boolean may(Rights rights, Privilege privilege, String table) {
        String[] parts = table.split("\\.", -1);
        return rights.allows(Need.on(privilege, parts[0], parts[1]));
    }

    private String found(String user, String host, boolean resolvesNames) {
        return grants(resolvesNames).find(user, host).map(Account::host).orElse("none");
    }

    @Test
    void theMostSpecificHostCounts() {
        user("app", "%");
        user("app", "10.%");
        user("app", "10.1.%");
        user("app", "10.1.2.3");
        user("", "10.1.2.4");

        assertThat(found("app", "10.1.2.3", false)).isEqualTo("10.1.2.3");
        assertThat(found("app", "10.1.9.9", false)).isEqualTo("10.1.%");
        assertThat(found("app", "10.9.9.9", false)).isEqualTo("10.%");
        assertThat(found("app", "11.1.1.1", false)).isEqualTo("%");
        assertThat(found("app", "10.1.2.4", false)).as("of nobody").isEqualTo("10.1.2.4");
        assertThat(found("App", "11.1.1.1", false)).isEqualTo("none");
    }

    /// What is kept for a login is found again at the account's next one.
    @Test
    void anAccountThatIsFoundTwiceIsOne() {
        String hash = "*6BB4837EB74329105EE4568DDA7DC67ED2CA2AD9";
        users.add(new User(new Name("app", "%"), "", hash, "", false, false, false, Set.of()));
        Grants grants = grants(false);
        Account first = grants.find("app", HERE).orElseThrow();

        assertThat(grants.find("app", HERE)).hasValue(first);
        assertThat(grants.find("app", HERE).orElseThrow()).hasSameHashCodeAs(first);
    }

    @Test
    void hostsAreNetworksOrThisMachine() {
        user("net", "192.168.0.0/255.255.0.0");
        user("short", "192.168.4.0/22");
        user("here", "localhost");

        assertThat(found("net", "192.168.7.7", false)).isNotEqualTo("none");
        assertThat(found("net", "192.169.7.7", false)).isEqualTo("none");
        assertThat(found("short", "192.168.7.255", false)).isNotEqualTo("none");
        assertThat(found("short", "192.168.8.0", false)).isEqualTo("none");
        assertThat(found("here", "127.0.0.1", true)).isEqualTo("localhost");
        assertThat(found("here", "127.0.0.1", false)).isEqualTo("none");
        assertThat(found("here", "10.0.0.1", true)).isEqualTo("none");
    }

    @Test
    void databasesArePatternsOfWhichTheMostSpecificCounts() {
        user("app", "%");
        database("app", "%", "shop%", Privilege.SELECT, Privilege.INSERT);
        database("app", "%", "shop\\_a", Privilege.SELECT);
        database("app", "%", "b_nk", Privilege.DELETE);
        Rights rights = rights("app");

        assertThat(may(rights, Privilege.INSERT, "shop.t")).isTrue();
        assertThat(may(rights, Privilege.INSERT, "shop2.t")).isTrue();
        assertThat(may(rights, Privilege.SELECT, "shop_a.t")).isTrue();
        assertThat(may(rights, Privilege.INSERT, "shop_a.t")).isFalse();
        assertThat(may(rights, Privilege.INSERT, "shopxa.t")).isTrue();
        assertThat(may(rights, Privilege.DELETE, "bank.t")).isTrue();
        assertThat(may(rights, Privilege.DELETE, "bnk.t")).isFalse();
        assertThat(may(rights, Privilege.SELECT, "Shop.t")).isFalse();
        assertThat(rights.reaches("bank")).isTrue();
        assertThat(rights.reaches("other")).isFalse();
    }

    @Test
    void aRightOnATableIsOnNoOther() {
        user("app", "%");
        tables.add(new OfTable(new Name("app", "%"), "shop", "item", Set.of(Privilege.SELECT)));
        tables.add(new OfTable(new Name("other", "%"), "shop", "u", Set.of(Privilege.SELECT)));
        Rights rights = rights("app");

        assertThat(may(rights, Privilege.SELECT, "shop.item")).isTrue();
        assertThat(may(rights, Privilege.UPDATE, "shop.item")).isFalse();
        assertThat(may(rights, Privilege.SELECT, "shop.u")).isFalse();
        assertThat(rights.allows(Need.everywhere(Privilege.SELECT))).isFalse();
        assertThat(rights.reaches("shop")).isTrue();
    }

    /// Also to a client that another account of the same name lets in.
    @Test
    void grantsOnDatabasesAreToNameAndHosts() {
        user("app", "%", Privilege.INSERT);
        user("app", HERE);
        database("app", "10.%", "shop", Privilege.SELECT);
        database("app", "11.%", "shop", Privilege.DELETE);
        Rights rights = rights("app");

        assertThat(may(rights, Privilege.SELECT, "shop.t")).isTrue();
        assertThat(may(rights, Privilege.DELETE, "shop.t")).isFalse();
        assertThat(may(rights, Privilege.INSERT, "shop.t")).as("of the other account").isFalse();
    }

    @Test
    void theDefaultRoleAndItsRolesCountAndNoOther() {
        user("app", "%");
        for (String role : List.of("clerk", "seller", "chief")) {
            users.add(user(new Name(role, ""), true, Set.of()));
        }
        database("clerk", "", "shop", Privilege.SELECT);
        database("seller", "", "shop", Privilege.INSERT);
        database("chief", "", "shop", Privilege.DELETE);
        Name app = new Name("app", "%");
        Name clerk = new Name("clerk", "");
        Name seller = new Name("seller", "");
        granted.add(new Role(app, clerk));
        granted.add(new Role(app, new Name("chief", "")));
        granted.add(new Role(clerk, seller));
        granted.add(new Role(seller, clerk)); // in a circle
        defaults.add(new Role(app, clerk));
        Rights rights = rights("app");

        assertThat(may(rights, Privilege.SELECT, "shop.t")).isTrue();
        assertThat(may(rights, Privilege.INSERT, "shop.t")).isTrue();
        assertThat(may(rights, Privilege.DELETE, "shop.t")).isFalse();
        assertThat(grants(false).find("clerk", HERE)).as("a role is no account").isEmpty();
    }

    @Test
    void nobodyReachesTheLogNorChangesTheBackendsOwn() {
        user("root", "%", Privilege.values());

        for (Rights rights : List.of(rights("root"), Rights.ALL)) {
            assertThat(may(rights, Privilege.SELECT, "quire.commit_log")).isFalse();
            assertThat(may(rights, Privilege.SELECT, "QUIRE.commit_log")).isFalse();
            assertThat(rights.reaches("quire")).isFalse();
            assertThat(may(rights, Privilege.DROP, "mysql.user")).isFalse();
            assertThat(may(rights, Privilege.UPDATE, "Sys.x")).isFalse();
            assertThat(may(rights, Privilege.SELECT, "mysql.user")).isTrue();
            assertThat(may(rights, Privilege.DROP, "shop.t")).isTrue();
        }
    }

    @Test
    void aVerifierIsByThePlugin() {
        users.add(
                new User(
                        new Name("a", "%"),
                        Proofs.NATIVE,
                        "*6C8989366EAF75BB670AD8EA7A7FC1176A95CEF4",
                        "ANY",
                        true,
                        false,
                        false,
                        Set.of()));
        users.add(user(new Name("b", "%"), false, Set.of()));
        users.add(
                new User(
                        new Name("c", "%"),
                        Proofs.NATIVE,
                        "invalid",
                        "",
                        false,
                        false,
                        false,
                        Set.of()));
        users.add(
                new User(
                        new Name("d", "%"),
                        "unix_socket",
                        "",
                        "X509",
                        false,
                        true,
                        false,
                        Set.of()));
        Account a = grants(false).find("a", HERE).orElseThrow();

        assertThat(((PasswordVerifier.NativeHash) a.verifier()).doubleHash())
                .isEqualTo(Proofs.doubleHash("mypass"));
        assertThat(a.state()).isEqualTo(Account.State.LOCKED);
        assertThat(a.transport()).isEqualTo(Account.Transport.TLS);
        assertThat(grants(false).find("b", HERE).orElseThrow().verifier())
                .isInstanceOfSatisfying(
                        PasswordVerifier.NativeHash.class,
                        none -> assertThat(none.doubleHash()).isEmpty());
        assertThat(grants(false).find("c", HERE).orElseThrow().verifier())
                .isInstanceOf(PasswordVerifier.Other.class);
        Account d = grants(false).find("d", HERE).orElseThrow();
        assertThat(d.verifier()).isInstanceOf(PasswordVerifier.Other.class);
        assertThat(d.state()).isEqualTo(Account.State.EXPIRED);
        assertThat(d.transport()).isEqualTo(Account.Transport.CERTIFICATE);
    }
}
