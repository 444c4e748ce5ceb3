/// The in-memory database of one node: the page store with its page versions, the B+trees, the SQL
/// front-end over them, the intake of write sets, which are applied lazily up to the tag a reader
/// asks for, and the local checkpoint. *Master*, *slave* and *spare* are roles of a replica that
/// change while it runs.
///
/// Invariant: a read tagged V sees no operation newer than V, and every operation up to V on what
/// it reads. Each package below says which part of that it owns.
///
/// Arrows: depends on common only. H2 is imported in `org.quiredb.replica.sql` and
/// `org.quiredb.replica.file` only.
@NullMarked
package org.quiredb.replica;

import org.jspecify.annotations.NullMarked;
