/// The durable side: the query log in InnoDB, the appliers that bring each on-disk backend up to
/// date from it, the snapshot that a cold tier is loaded from, and the check that both tiers hold
/// the same data.
///
/// Invariant: the backends hold a prefix of each class's commit order, and the log holds the rest.
/// The log refuses an older epoch in the same database transaction that stores the record, so at
/// most one master per class can make commits stable in an epoch.
///
/// Arrows: depends on common only.
@NullMarked
package org.quiredb.logger;

import org.jspecify.annotations.NullMarked;
