/// One process: the roles that its configuration names, started in the order in which they need one
/// another, ended in the reverse order.
///
/// A part that is elsewhere may start later: the process waits for it, as long as `waitSeconds`
/// says. What it waits for: a logger and a scheduler for the backend, a logger also for what of
/// several backends it cannot do without, a replica for an active logger and until there is a tier
/// that it can begin or join, a scheduler for a master. A demo in one process and a cluster of many
/// start the same {@link org.quiredb.node.process.NodeProcess}.
@NullMarked
package org.quiredb.node.process;

import org.jspecify.annotations.NullMarked;
