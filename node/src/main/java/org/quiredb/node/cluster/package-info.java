/// A whole tier in one process: backend, logger, replicas, scheduler, over the same sockets that
/// separate processes use.
///
/// Start order: backend, logger, the master (which loads from the backend), the other replicas
/// (which fetch the master's pages), the scheduler. Stop order: the reverse, so that what was
/// acknowledged is in the log before the logger ends.
@NullMarked
package org.quiredb.node.cluster;

import org.jspecify.annotations.NullMarked;
