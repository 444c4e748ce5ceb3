package org.quiredb.scheduler.fallback.connection;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.quiredb.scheduler.account.Login;
import org.quiredb.sql.command.SetReader;
import org.quiredb.sql.command.Setting;
import org.quiredb.sql.text.Tokens;

/// What a backend connection must take on to answer for a client.
///
/// @param login as whom
/// @param database empty for none
/// @param assignments SET statements, in order
/// @param values what the session's own variables are, each as an expression that depends on
///   nothing; they are set after everything else
public record BackendSession(
        BackendLogin login, String database, List<String> assignments, Map<String, String> values) {
    /// Of a client, with its own rights.
    public BackendSession(
            Login client, String database, List<String> assignments, Map<String, String> values) {
        this(BackendLogin.of(client), database, assignments, values);
    }

    public BackendSession(Login client, String database, List<String> assignments) {
        this(client, database, assignments, Map.of());
    }

    public BackendSession(BackendLogin login, String database, List<String> assignments) {
        this(login, database, assignments, Map.of());
    }

    /// In which ROW_COUNT() is of rows changed, not found.
    public BackendSession countingChanged() {
        return new BackendSession(login.countingChanged(), database, assignments, values);
    }

    /// Quire's own.
    public static final BackendSession OWN = new BackendSession(BackendLogin.OWN, "", List.of());

    /// What has to be set where all is as in another session but for its values; empty where that
    /// is not enough, as no value can be taken back.
    Map<String, String> newSince(BackendSession other) {
        boolean same =
                login.equals(other.login)
                        && database.equals(other.database)
                        && assignments.equals(other.assignments)
                        && values.keySet().containsAll(other.values.keySet());
        Map<String, String> changed = new TreeMap<>();
        if (same) {
            values.forEach((name, value) -> {
                if (!value.equals(other.values.get(name))) {
                    changed.put(name, value);
                }
            });
        }
        return changed;
    }

    /// The variables that another session, which this one was, has set and this one has not.
    Set<String> unsetSince(BackendSession other) {
        Set<String> unset = new LinkedHashSet<>();
        other.assignments.forEach(assignment -> unset.addAll(variables(assignment)));
        assignments.forEach(assignment -> unset.removeAll(variables(assignment)));
        return unset;
    }

    private static Set<String> variables(String assignment) {
        return SetReader.of(Tokens.of(assignment)).stream()
                .filter(Setting.Variable.class::isInstance)
                .map(setting -> ((Setting.Variable) setting).name())
                .collect(Collectors.toSet());
    }
}
