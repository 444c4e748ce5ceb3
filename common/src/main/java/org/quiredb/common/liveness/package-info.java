/// When somebody has been silent for too long.
///
/// A silence tells little where everything is slow: on a machine that is short of processors, or
/// amid collections of garbage, those who are well are late too, and to take one of them for dead
/// costs the tier more than to learn late of a death. So each limit grows with the delays that were
/// seen lately, and is the configured one where there were none. A closed socket is no silence and
/// counts at once. No limit is part of any proof: who goes on without somebody is safe by epochs
/// and leases, however soon or late it does.
@NullMarked
package org.quiredb.common.liveness;

import org.jspecify.annotations.NullMarked;
