/// Applications cannot tell the tier from the server behind it: the same program, the same
/// statements, sent to both, have the same answers.
///
/// The other side of each comparison is a MariaDB of its own, not the tier's backend, so that
/// neither sees what the other does. Both sides are started once for all classes of this package.
@NullMarked
package org.quiredb.node.clients;

import org.jspecify.annotations.NullMarked;
