/// A statement as a tree: what the in-memory tier runs, and nothing else.
///
/// Invariant: every kind of node has one meaning, MySQL's. What the parser understands and has no
/// node here cannot reach a replica's engine.
@NullMarked
package org.quiredb.sql.tree;

import org.jspecify.annotations.NullMarked;
