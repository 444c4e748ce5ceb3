/// Clients that mean harm, by a seed: packets bent before and after the login, statements bent out
/// of real ones and of H2's own grammar, connections that stay half open, read slowly or vanish.
///
/// What must hold is design.md's invariant 10: beside them others get right answers in bounded time
/// (`GoodClient`); afterwards every role serves, no file was written or read for a statement, what
/// was taken is given back (`Footprint`), and the tier is identical to its backend. `Statements`
/// and `Packets` bend, `Wire` speaks the protocol as far as that takes, `HostileClient` lives one
/// short life after the other, `Sightings` keeps what they saw.
@NullMarked
package org.quiredb.node.hostile;

import org.jspecify.annotations.NullMarked;
