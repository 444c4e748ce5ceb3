/// The persistence loggers as everybody calls them: several processes, of which one is active.
///
/// Who calls need not know which one that is. Whoever stands by says so, and the caller goes on to
/// the next address; one that is lost or silent is left in the same way, and the request is made
/// again where it is answered.
///
/// Invariant: every request of a logger is harmless when it is made twice, of the same logger or of
/// two, one after the other or at once.
@NullMarked
package org.quiredb.common.logger;

import org.jspecify.annotations.NullMarked;
