/// Keeps spares warm: in a spare's pool are the pages that the active replicas' readers use, with
/// what was done to them, so that it answers as fast as the one whose place it takes.
///
/// Two ways, {@link org.quiredb.replica.warm.Warmup}. A spare may be given a small share of the
/// reads, which schedulers learn from its status. Or active replicas tell spares now and then the
/// ids of the pages that their reads used, and a spare touches them: reads them at their newest
/// version, which loads them and applies what waits.
///
/// Nothing waits for hints. They are bounded in number, go over a connection of their own, one
/// message at a time, and are lost where a spare is too slow.
///
/// Source: Dynamic Multiversioning, section 4.5. By example: WarmSpareTest.
@NullMarked
package org.quiredb.replica.warm;

import org.jspecify.annotations.NullMarked;
