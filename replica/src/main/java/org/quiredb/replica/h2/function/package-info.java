/// MySQL's functions and casts where H2's mean something else, which H2 calls by the names that
/// `Declarations` gives them.
///
/// Classes and methods are public for H2 alone.
///
/// Invariant: a function gives what MySQL gives, or refuses; what one statement could fill the
/// memory with is refused before it is made.
///
/// Threads: any. By example: TextFunctionsTest.
@NullMarked
package org.quiredb.replica.h2.function;

import org.jspecify.annotations.NullMarked;
