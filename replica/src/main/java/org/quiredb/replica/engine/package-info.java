/// What a replica asks of its SQL engine, how much a statement may take, and what it is refused
/// with: what the service, the intake, the transfer to another replica and the master share with
/// all that runs statements.
///
/// Threads: any.
@NullMarked
package org.quiredb.replica.engine;

import org.jspecify.annotations.NullMarked;
