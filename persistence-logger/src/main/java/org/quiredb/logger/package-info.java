/// The durable side: the query log in InnoDB, the appliers that bring each on-disk backend up to
/// date from it, the snapshot that a cold tier is loaded from, and the check that both tiers hold
/// the same data.
///
/// Invariant: the backends hold a prefix of each class's commit order, and the log holds the rest.
/// The log refuses an older epoch in the same database transaction that stores the record, so at
/// most one master per class can make commits stable in an epoch.
///
/// No error spreads. Whatever a backend answers, its log's writer and its appliers ask again until
/// it takes what it is given: what one error means today, somebody may mend tomorrow, and nobody
/// has to start anything anew. Meanwhile the asker gets an error, and nobody else: a commit that
/// the log does not take waits and then fails with TIER_UNAVAILABLE, what has to be read from a
/// backend that does not follow fails likewise, memory is read as ever. A backend whose error does
/// not pass by itself is *set aside*: it is waited for no more while another one follows. It stays
/// current, for it has the whole log. {@link org.quiredb.logger.backend.Hindrance} is what is told
/// of it.
///
/// Arrows: depends on common only.
@NullMarked
package org.quiredb.logger;

import org.jspecify.annotations.NullMarked;
