/// The TPC-W bookstore: schema, population, the 14 interactions over plain JDBC, and the emulated
/// browsers that walk through them.
///
/// It knows nothing of Quire and depends on no other module: it runs against any MySQL URL, so that
/// InnoDB and Quire are measured by the same program.
@NullMarked
package org.quiredb.tpcw;

import org.jspecify.annotations.NullMarked;
