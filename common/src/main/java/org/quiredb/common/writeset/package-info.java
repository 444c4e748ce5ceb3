/// Write sets: what a committed transaction did, as bytes on pages and as row changes, and how it
/// is encoded.
///
/// The two say the same. Bytes on pages are for replicas, which have the same pages. Row changes
/// are for the log: a row by its primary key with its values, so that an InnoDB server stores what
/// memory holds and no two SQL engines need agree on what a statement's text means.
///
/// Derived at the commit (`org.quiredb.replica.h2.row.RowEffects`) they are the net effect on each
/// row: one that was inserted and deleted again is not named. Invariant: an UPDATE names no column
/// of a unique key; a row in which one changes is deleted and inserted. So whoever runs a
/// transaction's deletes first, then its updates, then its inserts, never meets a key that is still
/// taken. Invariant: they name every row that differs, those of cascades too; whoever runs them
/// checks no foreign key and cascades nothing. Generated columns are left out. Of a table without a
/// primary key a row is named by all its columns, and an update is a delete and an insert.
///
/// Only a schema change is logged as its text.
@NullMarked
package org.quiredb.common.writeset;

import org.jspecify.annotations.NullMarked;
