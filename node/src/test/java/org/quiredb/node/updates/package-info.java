/// Random updates through a tier and on a MariaDB of its own: the same counts, the same errors, and
/// in the end the same rows in memory, on the tier's backend and on the other server.
///
/// `RandomTables` draws the tables, `RandomValues` what goes into their columns, `RandomUpdates`
/// the statements; all of it follows from a seed and from which statements were refused.
/// `UpdatesTest` runs them in blocks, each over tables of its own. A block that differs runs once
/// more, and is compared after every statement, to name the one that did it.
@NullMarked
package org.quiredb.node.updates;

import org.jspecify.annotations.NullMarked;
