package org.quiredb.scheduler.account;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.quiredb.scheduler.account.Account.Origin;
import org.quiredb.scheduler.account.Account.State;
import org.quiredb.scheduler.account.Account.Transport;
import org.quiredb.scheduler.account.GrantTables.Name;
import org.quiredb.scheduler.account.GrantTables.User;
import org.quiredb.scheduler.account.Rights.Layer;
import org.quiredb.scheduler.account.Rights.Table;

/// The accounts of a backend, as its tables had them.
///
/// Source: MySQL 8.0 manual, "Access Control, Stage 1" and "Stage 2"; MariaDB does the same.
/// Threads: any, immutable.
public final class Grants {
    private static final Pattern NATIVE_HASH = Pattern.compile("\\*([0-9A-Fa-f]{40})");

    /// MariaDB's role of everybody.
    private static final Name EVERYBODY = new Name("PUBLIC", "");

    private final GrantTables tables;
    private final List<User> users;

    public Grants(GrantTables tables) {
        this.tables = tables;
        users =
                tables.users().stream()
                        .filter(user -> !user.role())
                        .sorted(Comparator.comparingInt(Grants::rank).reversed())
                        .toList();
    }

    /// By the host first, then by whether it has a name.
    private static int rank(User user) {
        return Wildcards.specificity(user.name().host()) << 1
                | (user.name().name().isEmpty() ? 0 : 1);
    }

    /// The account that a client of this name at this address is: the most specific one.
    public Optional<Account> find(String name, String address) {
        return users.stream()
                .filter(user ->
                        (user.name().name().isEmpty() || user.name().name().equals(name))
                                && isFrom(user.name(), address))
                .findFirst()
                .map(Grants::account);
    }

    private boolean isFrom(Name name, String address) {
        return Wildcards.matchesHost(name.host(), address, tables.resolvesNames());
    }

    private static Account account(User user) {
        return new Account(
                user.name().name(),
                user.name().host(),
                Origin.BACKEND,
                verifier(user),
                user.locked() ? State.LOCKED : user.expired() ? State.EXPIRED : State.OPEN,
                switch (user.sslType()) {
                    case "" -> Transport.ANY;
                    case "ANY" -> Transport.TLS;
                    default -> Transport.CERTIFICATE;
                });
    }

    private static PasswordVerifier verifier(User user) {
        return switch (user.plugin()) {
            case "", Proofs.NATIVE -> {
                var hash = NATIVE_HASH.matcher(user.hash());
                yield user.hash().isEmpty()
                        ? new PasswordVerifier.NativeHash(new byte[0])
                        : hash.matches()
                                ? new PasswordVerifier.NativeHash(
                                        HexFormat.of().parseHex(hash.group(1)))
                                : new PasswordVerifier.Other("no password");
            }
            case Proofs.CACHING_SHA2 -> new PasswordVerifier.Sha2Hash(user.hash());
            default -> new PasswordVerifier.Other(user.plugin());
        };
    }

    /// What the account may do from this address: grants on databases and tables are to a name and
    /// hosts, not to an account.
    public Rights rights(Account account, String address) {
        Set<Name> roles = new LinkedHashSet<>();
        Deque<Name> open = new ArrayDeque<>(List.of(EVERYBODY));
        Name own = new Name(account.user(), account.host());
        tables.defaults().stream()
                .filter(role -> role.holder().equals(own))
                .forEach(role -> open.add(role.role()));
        while (!open.isEmpty()) {
            Name role = open.remove();
            if (roles.add(role)) {
                tables.granted().stream()
                        .filter(grant -> grant.holder().equals(role))
                        .forEach(grant -> open.add(grant.role()));
            }
        }
        List<Layer> layers = new ArrayList<>();
        layers.add(layer(own, name -> isOwn(name, account.user(), address)));
        roles.forEach(role -> layers.add(layer(role, role::equals)));
        return new Rights(layers);
    }

    private boolean isOwn(Name name, String user, String address) {
        return name.name().equals(user)
                && isFrom(name, address)
                && tables.users().stream()
                        .noneMatch(other -> other.role() && other.name().equals(name));
    }

    private Layer layer(Name account, Predicate<Name> holder) {
        Map<Table, Set<Privilege>> ofTables = new HashMap<>();
        tables.tables().stream()
                .filter(grant -> holder.test(grant.name()))
                .sorted(
                        Comparator.comparingInt(
                                grant -> Wildcards.specificity(grant.name().host())))
                .forEach(grant ->
                        ofTables.put(
                                new Table(grant.database(), grant.table()), grant.privileges()));
        return new Layer(
                tables.users().stream()
                        .filter(user -> user.name().equals(account))
                        .findFirst()
                        .map(User::everywhere)
                        .orElse(Set.of()),
                tables.databases().stream().filter(grant -> holder.test(grant.name())).toList(),
                Map.copyOf(ofTables));
    }
}
