package org.quiredb.scheduler.account;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// What an account may do, by what was granted to it, to its default role and to everybody.
///
/// Invariant: the log's database is for no client to see, and the backend's own are for none to
/// change, whatever was granted. Threads: any, immutable.
public final class Rights {
    /// The account may do everything else.
    public static final Rights ALL =
            new Rights(List.of(new Layer(Set.of(Privilege.values()), List.of(), Map.of())));

    private static final String LOG = "quire";
    private static final Set<Privilege> HARMLESS = Set.of(Privilege.SELECT, Privilege.LOCK_TABLES);
    private static final Set<String> SYSTEM =
            Set.of("information_schema", "mysql", "performance_schema", "sys");

    private final List<Layer> layers;

    /// What was granted to one of them.
    ///
    /// @param databases the first whose pattern fits counts, as in MySQL
    record Layer(
            Set<Privilege> everywhere,
            List<GrantTables.OfDatabase> databases,
            Map<Table, Set<Privilege>> tables) {
        Layer {
            databases =
                    databases.stream()
                            .sorted(Comparator.comparingInt(Layer::rank).reversed())
                            .toList();
        }

        private static int rank(GrantTables.OfDatabase grant) {
            return Wildcards.specificity(grant.name().host()) << 8
                    | Wildcards.specificity(grant.pattern());
        }

        boolean allows(Privilege privilege, String database, String table) {
            return everywhere.contains(privilege)
                    || (!database.equals(Need.ANYWHERE) && ofDatabase(database).contains(privilege))
                    || tables.getOrDefault(new Table(database, table), Set.of())
                            .contains(privilege);
        }

        private Set<Privilege> ofDatabase(String database) {
            return databases.stream()
                    .filter(grant -> Wildcards.matches(grant.pattern(), database))
                    .findFirst()
                    .map(GrantTables.OfDatabase::privileges)
                    .orElse(Set.of());
        }

        boolean reaches(String database) {
            return !everywhere.isEmpty()
                    || !ofDatabase(database).isEmpty()
                    || tables.entrySet().stream()
                            .anyMatch(grant ->
                                    grant.getKey().database().equals(database)
                                            && !grant.getValue().isEmpty());
        }
    }

    record Table(String database, String name) {}

    Rights(List<Layer> layers) {
        this.layers = List.copyOf(layers);
    }

    /// The log's database.
    public static boolean isHidden(String database) {
        return database.equalsIgnoreCase(LOG);
    }

    /// Whether a pattern of databases has none but clients' own.
    public static boolean isOfClients(String pattern) {
        return Stream.concat(SYSTEM.stream(), Stream.of(LOG))
                .noneMatch(
                        database -> Wildcards.matches(pattern.toLowerCase(Locale.ROOT), database));
    }

    private static boolean isSystem(String database) {
        return SYSTEM.contains(database.toLowerCase(Locale.ROOT));
    }

    public boolean allows(Need need) {
        String database = need.database();
        boolean out =
                isHidden(database) || (isSystem(database) && !HARMLESS.contains(need.privilege()));
        return !out
                && layers.stream()
                        .anyMatch(layer -> layer.allows(need.privilege(), database, need.table()));
    }

    /// The first that is lacking.
    public Optional<Need> lacking(List<Need> needs) {
        return needs.stream().filter(need -> !allows(need)).findFirst();
    }

    /// Whether anything in the database is for this account, so that it may be its current one.
    public boolean reaches(String database) {
        return !isHidden(database) && layers.stream().anyMatch(layer -> layer.reaches(database));
    }
}
