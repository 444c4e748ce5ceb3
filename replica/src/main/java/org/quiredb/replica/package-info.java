/// The in-memory database of one node: the page store with its page versions, the B+trees, the SQL
/// front-end over them, the intake of write sets, which are applied lazily up to the tag a reader
/// asks for, and the local checkpoint. *Master*, *slave* and *spare* are roles of a replica that
/// change while it runs.
///
/// Invariant: a read tagged V sees no operation newer than V, and every operation up to V on what
/// it reads. Each package below says which part of that it owns.
///
/// From the pages up: `page` and `tree` hold rows, `layout` knows their bytes, `kind` and `binding`
/// what a statement means, `planning` and `execution` run plain reads, `h2` all the rest; `sql`
/// says who answers. `intake`, `transfer` and `warm` bring pages up to date; `service` answers
/// requests.
///
/// Arrows: depends on common and sql only; no circle among its packages. H2 is imported in `h2` and
/// its packages, and in `file`, only.
@NullMarked
package org.quiredb.replica;

import org.jspecify.annotations.NullMarked;
