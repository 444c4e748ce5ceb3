/// H2 as the SQL front-end over our own pages: the only place that sees H2.
///
/// A statement comes as a tree ({@link org.quiredb.sql}). `BoundStatement` binds it to the
/// catalogue, `H2Text` and `H2Changes` write it in words that mean to H2 what MySQL means, and H2
/// plans and executes them.
///
/// Invariant: H2 is given no text but what is made of a tree: quoted names of our tables and their
/// columns, our functions, constants, `?`. Its sessions have no rights to anything else, so that a
/// fault in the making of the text would reach nothing either.
///
/// What an operator means depends on the types of its operands, and for many pairs H2 takes another
/// meaning than MySQL. `Kinds` finds the type of every part of a tree, once for each binding, and
/// refuses all pairs that `KindRules` does not name; `H2Text` writes casts by it.
///
/// `QuireTable` and `QuireIndex` give it rows out of row pages and B-link trees. What H2 has no
/// place for travels beside it: `Statement` carries the page access in force through a scoped
/// value, because every call of H2 names its session and nothing of ours. H2's own transactions are
/// not used: commit, rollback and savepoints are the caller's, who drops page copies.
///
/// H2's catalogue is derived from our definitions and made anew from them when it fails: see
/// `Catalogue`.
///
/// Three things keep H2's habits harmless. It reuses a query's last result while a table's
/// modification id has not grown, so every statement takes a new id. It evaluates every condition
/// again on the rows that an index gave, so an index may give too many. Its object ids are
/// recycled, so table ids and root pages are ours alone: the tree of the n-th index of a definition
/// has its root on page n, and a table without a primary key has one tree more, of locators.
///
/// By example: SqlEngineTest.
@NullMarked
package org.quiredb.replica.sql;

import org.jspecify.annotations.NullMarked;
