/// The TPC-W bookstore: schema, population, the 14 interactions over plain JDBC, and the emulated
/// browsers that walk through them.
///
/// [org.quiredb.tpcw.population.Population] fills a database, [org.quiredb.tpcw.run.Workload] runs
/// browsers against it and measures them, [org.quiredb.tpcw.check.Consistency] tells whether the
/// data still make sense.
///
/// It knows nothing of Quire and depends on no other module: it runs against any MySQL URL, so that
/// InnoDB and Quire are measured by the same program.
@NullMarked
package org.quiredb.tpcw;

import org.jspecify.annotations.NullMarked;
