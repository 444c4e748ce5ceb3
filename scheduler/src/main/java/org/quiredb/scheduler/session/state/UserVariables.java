package org.quiredb.scheduler.session.state;

import java.util.Map;
import java.util.TreeMap;
import org.quiredb.common.error.QuireException;

/// A session's user variables, by their names in lower case.
///
/// Invariant: they hold values, never expressions: what a variable is does not depend on when or
/// where it is asked for.
///
/// Threads: owned by the session's thread.
public final class UserVariables {
    private final Map<String, UserVariable> byName = new TreeMap<>();
    private final Kept kept;

    UserVariables(Kept kept) {
        this.kept = kept;
    }

    /// NULL where it was never set.
    public UserVariable get(String name) {
        return byName.getOrDefault(name, UserVariable.NULL);
    }

    /// @throws QuireException when the session has set too much
    public void set(String name, UserVariable value) {
        UserVariable before = byName.get(name);
        long was = before == null ? 0 : Kept.of(name) + before.size();
        kept.add(Kept.of(name) + value.size() - was);
        byName.put(name, value);
    }

    /// As backend connections are to have them.
    Map<String, String> expressions() {
        Map<String, String> expressions = new TreeMap<>();
        byName.forEach((name, value) -> expressions.put(quoted(name), value.expression()));
        return expressions;
    }

    public Map<String, UserVariable> all() {
        return Map.copyOf(byName);
    }

    /// @param before what {@link #all} has told
    public void restore(Map<String, UserVariable> before) {
        clear();
        before.forEach(this::set);
    }

    public static String quoted(String name) {
        return "@`" + name.replace("`", "``") + "`";
    }

    void clear() {
        byName.forEach((name, value) -> kept.add(-Kept.of(name) - value.size()));
        byName.clear();
    }
}
