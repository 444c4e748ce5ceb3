package org.quiredb.scheduler.account;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// A privilege that a statement needs.
///
/// @param database empty for the current one, ANYWHERE for all
/// @param table empty for a right on the whole database
/// @param column that it is needed for, where the error names one; else empty
public record Need(Privilege privilege, String database, String table, String column) {
    public static final String ANYWHERE = "*";

    /// As {@link #EVERYTHING} is not needed for: what they let do changes nothing.
    private static final Set<Privilege> HARMLESS = Set.of(Privilege.LOCK_TABLES, Privilege.PROCESS);

    /// What nobody but an account with every privilege on all databases has.
    public static final List<Need> EVERYTHING =
            Arrays.stream(Privilege.values())
                    .filter(privilege -> !HARMLESS.contains(privilege))
                    .map(Need::everywhere)
                    .toList();

    public static Need everywhere(Privilege privilege) {
        return new Need(privilege, ANYWHERE, "", "");
    }

    public static Need on(Privilege privilege, String database, String table) {
        return new Need(privilege, database, table, "");
    }
}
