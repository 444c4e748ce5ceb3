/// The schemas and tables: our definitions, and H2's catalogue, which is derived from them and made
/// anew from them when it fails.
///
/// Invariant: between two changes H2 has the tables, indexes and foreign keys that the definitions
/// say, but for what `H2Tables.limits` tells: what H2 refuses of a definition is kept from it,
/// table by table, and then the tier does less with that table.
///
/// Threads: changes come one at a time; look-ups are for any. By example: CatalogueTest.
@NullMarked
package org.quiredb.replica.h2.catalogue;

import org.jspecify.annotations.NullMarked;
