/// The program: one process that hosts any set of roles, and the `quire` command line. A node is
/// one program with roles; in one JVM (demo, tests) or in many, the same classes talk over the same
/// real sockets.
///
/// Arrows: the only module that sees all the others. It wires them together and decides nothing.
@NullMarked
package org.quiredb.node;

import org.jspecify.annotations.NullMarked;
