package org.quiredb.scheduler.fallback.connection;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.quiredb.sql.tree.TableName;

/// The stored programs and views of a server as they were when a statement first came to each: what
/// looks at one again asks nobody. No server keeps them from being replaced before they are called,
/// so that in the end all may be asked for once more.
///
/// Threads: one.
public final class SeenRoutines implements Routines {
    private final Routines shown;
    private final Map<Named, Optional<Routine>> seen = new HashMap<>();
    private final Map<TableName, Optional<View>> views = new HashMap<>();

    private record Named(boolean function, TableName name) {}

    /// @param shown who is asked of what was not seen
    public SeenRoutines(Routines shown) {
        this.shown = shown;
    }

    @Override
    public boolean isShown(TableName procedure) {
        return shown.isShown(procedure);
    }

    @Override
    public Optional<Routine> find(boolean function, TableName name) {
        return seen.computeIfAbsent(new Named(function, name), _ -> shown.find(function, name));
    }

    @Override
    public boolean isPackage(String name) {
        return shown.isPackage(name);
    }

    @Override
    public Optional<View> view(TableName name) {
        return views.computeIfAbsent(name, shown::view);
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
