/// The random values of TPC-W: its strings, numbers, dates and skewed keys.
///
/// Everything that the population and the browsers invent comes from a [TpcwRandom], and a draw
/// starts from a seed. The same seed therefore fills the same bookstore and sends the same shoppers
/// through it, whichever server answers.
@NullMarked
package org.quiredb.tpcw.random;

import org.jspecify.annotations.NullMarked;
