package org.quiredb.scheduler.fallback;

import org.quiredb.common.writeset.RowChanges;
import org.quiredb.scheduler.fallback.connection.BackendSession;

/// Where the backend evaluates a change of rows.
public interface Evaluating {
    /// Has a change of rows evaluated over a transaction's own rows, on the newest state:
    /// everything that it reads there must be locked. Nothing of it stays.
    ///
    /// @throws org.quiredb.common.error.QuireException DEADLOCK where it may do when it is tried
    ///   again, NOT_SUPPORTED_YET where it never does; where it is evaluated is of no use then
    Evaluated evaluate(RowChanges rows, BackendSession session, Evaluation evaluation);

    /// How many rows a query has, likewise.
    ///
    /// @param most that are counted
    long count(RowChanges rows, BackendSession session, String query, int most);

    /// Whether its server has what an answer must show, be it in this state or not.
    boolean reaches(Freshness freshness);
}
