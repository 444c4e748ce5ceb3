package org.quiredb.scheduler.fallback.connection;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.quiredb.sql.tree.TableName;

/// Remembers which stored programs and views were looked at: no server keeps them from being
/// replaced before they are called.
///
/// Threads: one.
public final class SeenRoutines implements Routines {
    private final Routines shown;
    private final Map<Named, Optional<Routine>> seen = new HashMap<>();
    private final Map<TableName, Optional<View>> views = new HashMap<>();

    private record Named(boolean function, TableName name) {}

    public SeenRoutines(Routines shown) {
        this.shown = shown;
    }

    @Override
    public boolean isShown(TableName procedure) {
        return shown.isShown(procedure);
    }

    @Override
    public Optional<Routine> find(boolean function, TableName name) {
        Optional<Routine> found = shown.find(function, name);
        seen.put(new Named(function, name), found);
        return found;
    }

    @Override
    public boolean isPackage(String name) {
        return shown.isPackage(name);
    }

    @Override
    public Optional<View> view(TableName name) {
        Optional<View> found = shown.view(name);
        views.put(name, found);
        return found;
    }

    /// Whether all of them are what they were.
    public boolean isSame() {
        return seen.entrySet().stream()
                        .allMatch(one ->
                                shown.find(one.getKey().function(), one.getKey().name())
                                        .equals(one.getValue()))
                && views.entrySet().stream()
                        .allMatch(one -> shown.view(one.getKey()).equals(one.getValue()));
    }
}
