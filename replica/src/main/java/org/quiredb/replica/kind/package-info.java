/// What is known of a statement's names and expressions before it runs.
///
/// What an operator means depends on the types of its operands, and for many pairs H2 takes another
/// meaning than MySQL. `Kinds` finds the type of every part of a tree, once for each binding, and
/// refuses all pairs that `KindRules` does not name. What depends on a value that is bound later is
/// left as a `BoundForm`, which every execution asks for.
///
/// Invariant: a column that leaves here is one of a table of ours, or a name that the statement
/// itself gives (`Scope`).
///
/// Threads: one for each binding; what is found is immutable. By example: BoundFormTest,
/// TreeFactsTest.
@NullMarked
package org.quiredb.replica.kind;

import org.jspecify.annotations.NullMarked;
