/// The tier as it looks from outside: the connection to a scheduler's status port, and what it
/// tells, for people and as JSON.
///
/// One scheduler is asked and answers for every node that it knows; what it has not heard of lately
/// it calls unreachable. Nothing here needs an account: the port is to be open to operators only.
@NullMarked
package org.quiredb.node.status;

import org.jspecify.annotations.NullMarked;
