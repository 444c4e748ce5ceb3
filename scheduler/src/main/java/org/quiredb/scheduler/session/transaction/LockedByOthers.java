package org.quiredb.scheduler.session.transaction;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.cluster.Cluster;
import org.quiredb.scheduler.route.Tags;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.sql.tree.TableName;

/// Has plain reads wait for tables that others, of any scheduler, have locked for themselves (LOCK
/// TABLES ... WRITE). What locks waits on the master.
///
/// Who sees a state already does not wait: that state was there before, or is what it would see
/// after waiting, too.
///
/// Threads: owned by the session's thread.
public final class LockedByOthers {
    private final Cluster cluster;
    private final LockedTables own;
    private final SessionState state;

    public LockedByOthers(Cluster cluster, LockedTables own, SessionState state) {
        this.cluster = cluster;
        this.own = own;
        this.state = state;
    }

    /// Whether there are any.
    public boolean any() {
        return !cluster.companions().locked().isEmpty() && !own.any();
    }

    /// @param tables with their databases
    public void await(Set<TableName> tables) {
        await(tables, state.tableWaitMillis());
    }

    private void await(Set<TableName> tables, long limitMillis) {
        if (bars(tables)) {
            cluster.companions().awaitUnlocked(ids(tables), limitMillis);
        }
    }

    /// A tag that nobody's lock falls within.
    Tags.Use tag(Set<TableName> tables) {
        long deadlineMillis = Masters.nowMillis() + state.tableWaitMillis();
        while (true) {
            await(tables, deadlineMillis - Masters.nowMillis());
            Tags.Use tag = cluster.companions().tag();
            if (!bars(tables)) {
                return tag;
            }
            tag.close();
        }
    }

    /// A session that has locked tables itself reads no others.
    private boolean bars(Set<TableName> tables) {
        return any() && !Collections.disjoint(cluster.companions().locked(), ids(tables));
    }

    /// Of a view nobody knows here what it shows: any table of its database.
    private Set<Integer> ids(Set<TableName> tables) {
        Catalogue catalogue = cluster.catalogue();
        Set<Integer> ids = new HashSet<>();
        for (TableName name : tables) {
            catalogue
                    .table(name)
                    .map(List::of)
                    .orElseGet(() -> List.copyOf(catalogue.tables(name.database())))
                    .forEach((CatalogueEntry entry) -> ids.add(entry.tableId()));
        }
        return ids;
    }
}
