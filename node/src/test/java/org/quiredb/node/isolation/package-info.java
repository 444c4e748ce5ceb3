/// What clients of a whole tier see of each other: random histories recorded through the endpoint
/// and checked, and the classic anomalies as scenarios.
///
/// A seed gives a [Mix]; the [Recorder] runs its [Client]s, each of which draws transactions
/// ([Reading], [Writing]) over [Tables] in several schemas, while the [Tier] suffers the mix's
/// fault.
@NullMarked
package org.quiredb.node.isolation;

import org.jspecify.annotations.NullMarked;
