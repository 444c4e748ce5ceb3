/// A tier that runs, as somebody sees who asks its scheduler four times a second.
///
/// {@link org.quiredb.node.watch.TierMeter} makes rates of counters, {@link
/// org.quiredb.node.watch.TierEvents} makes sentences of what changed between two looks, {@link
/// org.quiredb.node.watch.TierTable} draws; all three are told what was seen and when, and know no
/// clock. {@link org.quiredb.node.watch.TierWatch} is the thread that looks.
///
/// Invariant: how long something took is told from the last look that was well to the first that is
/// well again, so it is never told too short, and too long by at most two looks.
///
/// Threads: a watch has one, which owns its meter and events. By example: TierEventsTest.
@NullMarked
package org.quiredb.node.watch;

import org.jspecify.annotations.NullMarked;
