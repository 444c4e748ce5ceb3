/// Fills the bookstore with rows by the rules of the specification's clause 4.6, as far as the
/// sources agree.
///
/// A table is cut into chunks of consecutive ids. Each chunk draws from a stream of its own, found
/// from the seed, the table and the chunk's number; so several connections fill the tables side by
/// side and the rows are the same in any order. Titles and last names carry keys (DigSyl) that the
/// searches of the browsers find, as the TPC's own text generator WGEN made them; without them a
/// search would hit nothing.
@NullMarked
package org.quiredb.tpcw.population;

import org.jspecify.annotations.NullMarked;
