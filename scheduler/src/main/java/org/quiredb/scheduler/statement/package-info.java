/// What clients' statements were and how long they took, for who watches the scheduler.
///
/// A {@link org.quiredb.scheduler.statement.StatementBook} is told of each statement when its
/// answer is complete. It counts by normalised text: {@link
/// org.quiredb.scheduler.statement.BookLine} for each of the most frequent, {@link
/// org.quiredb.scheduler.statement.SlowStatements} for the slowest of the last quarter of an hour,
/// {@link org.quiredb.scheduler.statement.DurationHistogram} for the distribution of all.
///
/// Invariant: no constant of a statement leaves this package. Normalisation leaves those where they
/// decide more than a value, and all of `SET` and its like; {@link
/// org.quiredb.scheduler.statement.ShownText} takes them out.
///
/// At the bounds: of texts, those that are frequent stay (Caffeine's admission); texts that are
/// longer than 4,096 characters count as one. A statement costs two look-ups and some striped
/// additions.
///
/// Threads: any.
@NullMarked
package org.quiredb.scheduler.statement;

import org.jspecify.annotations.NullMarked;
