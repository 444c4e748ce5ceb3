package org.quiredb.replica.service;

import java.util.List;
import org.quiredb.common.message.NodeStatus.Figure;
import org.quiredb.replica.page.Checkpoints;
import org.quiredb.replica.page.PageStore;
import org.quiredb.replica.page.Pool;

/// What a page store tells of itself in the replica's status.
final class StoreFigures {
    private StoreFigures() {}

    static List<Figure> of(PageStore store) {
        PageStore.Figures pages = store.recentFigures();
        Pool.Figures pool = store.pool();
        Checkpoints.Origin origin = store.checkpoints().origin();
        return List.of(
                new Figure("pages", pages.pages()),
                new Figure("pages.resident", pages.resident()),
                new Figure("pages.applied", pool.applied()),
                new Figure("pages.bytes", pool.imageBytes()),
                new Figure("pages.limit", pool.limitBytes()),
                new Figure("pages.old", pages.oldVersions()),
                new Figure("pages.pending", pages.pendingOperations()),
                new Figure("pages.pending.bytes", pool.waitingBytes()),
                new Figure("pages.loaded", pool.loaded()),
                new Figure("pages.evicted", pool.evicted()),
                new Figure("pages.stored", pool.written()),
                new Figure("pages.file.bytes", pool.fileBytes()),
                new Figure("pages.checkpoints", store.checkpoints().rounds()),
                new Figure("pages.restored", origin.restoredPages()),
                new Figure("pages.joined", origin.joinedPages()),
                new Figure("pages.joined.bytes", origin.joinedBytes()));
    }
}
