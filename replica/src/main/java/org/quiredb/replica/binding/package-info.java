/// Statements bound to a state of the catalogue, and written for H2.
///
/// A statement comes as a tree ({@link org.quiredb.sql}). `BoundStatement` binds it; `H2Text` and
/// `H2Changes` write it in words that mean to H2 what MySQL means, with the casts that the kinds of
/// its parts ask for ({@link org.quiredb.replica.kind}). Nothing of H2 itself is called.
///
/// Invariant: H2 is given no text but what is made of a tree: quoted names of our tables and their
/// columns, our functions, constants, `?`. Its sessions have no rights to anything else, so that a
/// fault in the making of the text would reach nothing either.
///
/// Threads: one for each binding; a bound statement is for any.
@NullMarked
package org.quiredb.replica.binding;

import org.jspecify.annotations.NullMarked;
