/// The tier as this scheduler knows it: connections to the replicas and the logger, their
/// heartbeats, the catalogue, and the version vector that all of them feed.
///
/// Threads: every link has a thread for its heartbeat; calls come from the sessions' threads.
@NullMarked
package org.quiredb.scheduler.cluster;

import org.jspecify.annotations.NullMarked;
