package org.quiredb.scheduler.session.statement;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.quiredb.scheduler.characters.OtherTexts;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.session.setting.SessionZone;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.sql.tree.TableName;

/// Which statements come out otherwise than in memory by what the session has set.
///
/// Threads: owned by the session's thread, or by its event loop.
final class OtherMeaning {
    private static final String JOINED_LENGTH = "group_concat_max_len";

    /// What the session may set, and the functions that look at it.
    private static final Map<String, List<String>> LOOKED_AT =
            Map.of(
                    JOINED_LENGTH,
                    List.of("GROUP_CONCAT"),
                    "default_week_format",
                    List.of("WEEK"),
                    "lc_time_names",
                    List.of("DAYNAME", "MONTHNAME", "DATE_FORMAT"));

    private final Services services;
    private final SessionState state;
    private final SessionZone zone;

    OtherMeaning(Services services, SessionState state) {
        this.services = services;
        this.state = state;
        zone = new SessionZone(services.cluster());
    }

    /// Why a read that locks nothing is not for memory; empty where it is.
    String backendReason(Classification.Read read, ClientStatement statement) {
        if (state.limitsRows()) {
            return "sql_select_limit";
        }
        String otherwise = otherwise(read.tables(), statement, false);
        if (!otherwise.isEmpty()) {
            return otherwise;
        }
        if (read.computes() && state.computesOtherwise(read.computesTexts())) {
            return "a setting of the session that functions depend on";
        }
        return read.computes() && !services.mariaDb()
                ? "results that MySQL describes otherwise than MariaDB"
                : read.backendReason(statement.sql());
    }

    /// By what the session has set a statement comes out otherwise than in memory; empty where it
    /// does not.
    String otherwise(Set<TableName> tables, ClientStatement statement, boolean changes) {
        if (!state.otherMode().isEmpty()) {
            return "sql_mode " + state.otherMode();
        }
        for (var setting : LOOKED_AT.entrySet()) {
            if (setting.getValue().stream().anyMatch(statement.tokens()::has)
                    && (state.sets(setting.getKey())
                            || (setting.getKey().equals(JOINED_LENGTH)
                                    && !services.backend().joinsAsUsual()))) {
                return "a " + setting.getKey() + " that is not MariaDB's default";
            }
        }
        Boolean set = state.zoned();
        boolean zoned = set == null ? !services.backend().isUtc() : set;
        if (zoned && zone.matters(state.qualified(tables), statement.tokens(), changes)) {
            return SessionZone.REASON;
        }
        boolean texts =
                state.textsDiffer()
                        && OtherTexts.matter(
                                statement.tokens(),
                                statement.bound(),
                                state.qualified(tables),
                                services.cluster().catalogue());
        return texts ? OtherTexts.REASON : "";
    }
}
