package org.quiredb.replica.h2.table;

import org.h2.api.TableEngine;
import org.h2.command.ddl.CreateTableData;
import org.h2.table.Table;
import org.quiredb.replica.layout.TableLayout;

/// Where H2 gets its tables from; it makes one itself, by class name, and so must be public.
///
/// What is not created by `H2Tables` (H2's own catalogue, temporary tables) stays with H2's store.
public final class QuireTableEngine implements TableEngine {
    public static final ScopedValue<TableLayout> CREATING = ScopedValue.newInstance();

    @Override
    public Table createTable(CreateTableData data) {
        return CREATING.isBound() && !data.temporary
                ? new QuireTable(data, CREATING.get())
                : data.session.getDatabase().getStore().createTable(data);
    }
}
