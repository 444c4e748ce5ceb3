/// Test suites that others wrote for servers like ours, run through a tier and on a MariaDB alone:
/// the main suite of MariaDB (`mysqltest`) and sqllogictest.
///
/// What the MariaDB alone answers is what is expected, not what a suite has recorded for the
/// version that it came with. Nothing of the suites is in this repository: `docs/long-runs.md` says
/// where they are had.
@NullMarked
package org.quiredb.node.suites;

import org.jspecify.annotations.NullMarked;
