/// H2 under our statements: runs, plans and describes what is bound, each statement on a session of
/// its own.
///
/// H2 is imported here and in the packages below, and nowhere else but for the page file ({@link
/// org.quiredb.replica.file}). It is one library with one set of habits, but what meets it is too
/// much for one room: values ({@link org.quiredb.replica.h2.value}), what its calls have no place
/// for ({@link org.quiredb.replica.h2.statement}), MySQL's conversions ({@link
/// org.quiredb.replica.h2.conversion}) and functions ({@link org.quiredb.replica.h2.function}), its
/// tables over our pages ({@link org.quiredb.replica.h2.table}), its sessions ({@link
/// org.quiredb.replica.h2.session}), its catalogue ({@link org.quiredb.replica.h2.catalogue}), and
/// rows without SQL ({@link org.quiredb.replica.h2.row}). Each uses those named before it.
///
/// H2's own transactions are not used: commit, rollback and savepoints are the caller's, who drops
/// page copies.
///
/// Invariant: no exception of H2's own leaves a read: it is ours that H2 wrapped, or {@link
/// org.quiredb.replica.h2.RefusedByH2Exception}.
///
/// Threads: any. By example: SqlEngineTest.
@NullMarked
package org.quiredb.replica.h2;

import org.jspecify.annotations.NullMarked;
