/// A whole tier on this machine: logger (with the embedded backend), replicas, scheduler, each the
/// process of a {@link org.quiredb.node.config.ProcessConfig}, in this JVM or in one of its own.
///
/// Everything but starting and ending is asked over the sockets, so that a tier of many processes
/// is the same to the demo and to tests as a tier in one. All parts begin at once and wait for one
/// another. They end in the reverse order of the plan: scheduler, replicas, logger, so that what
/// was acknowledged is in the log before the logger ends.
@NullMarked
package org.quiredb.node.cluster;

import org.jspecify.annotations.NullMarked;
