package org.quiredb.scheduler.fallback.connection;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.quiredb.sql.tree.TableName;

/// The stored programs and the views of a server as they were when a statement first came to each:
/// what looks at it again asks nobody.
///
/// Threads: one.
public final class KnownRoutines implements Routines {
    private final Routines shown;
    private final Map<Named, Optional<Routine>> routines = new HashMap<>();
    private final Map<TableName, Optional<View>> views = new HashMap<>();

    private record Named(boolean function, TableName name) {}

    /// @param shown who is asked of what is not known
    public KnownRoutines(Routines shown) {
        this.shown = shown;
    }

    @Override
    public boolean isShown(TableName procedure) {
        return shown.isShown(procedure);
    }

    @Override
    public Optional<Routine> find(boolean function, TableName name) {
        return routines.computeIfAbsent(new Named(function, name), _ -> shown.find(function, name));
    }

    @Override
    public boolean isPackage(String name) {
        return shown.isPackage(name);
    }

    @Override
    public Optional<View> view(TableName name) {
        return views.computeIfAbsent(name, shown::view);
    }
}
