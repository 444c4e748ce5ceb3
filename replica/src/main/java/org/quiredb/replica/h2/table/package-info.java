/// Tables of H2 whose rows lie on our pages: `QuireTable` and `QuireIndex` give it rows out of row
/// pages and B-link trees, and change them.
///
/// H2 evaluates every condition again on the rows that an index gave, so an index may give too
/// many, never too few. It plans with our costs. Of foreign keys it knows, but `ForeignKeys` does
/// what they ask for, row by row, as InnoDB does.
///
/// Invariant: a row that could not be added leaves nothing behind; what else a failing statement
/// did its caller undoes.
///
/// Threads: tables and indexes are for any; cursors are their statement's. By example:
/// SqlEngineTest, LikeFilterTest.
@NullMarked
package org.quiredb.replica.h2.table;

import org.jspecify.annotations.NullMarked;
