/// What a replica asks of its SQL engine, and how much a statement may take: what the service, the
/// intake, the transfer to another replica and the master share with what runs statements.
///
/// Threads: any.
@NullMarked
package org.quiredb.replica.engine;

import org.jspecify.annotations.NullMarked;
