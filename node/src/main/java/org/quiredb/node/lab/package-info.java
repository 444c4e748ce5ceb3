/// Experiments on a live tier of processes on this machine: what its clients feel, and whether
/// anything is lost, when one of them is killed, stands still or is cut off.
///
/// {@link org.quiredb.node.lab.Ledger} is the witness. Its clients enter numbers and read them back
/// through the endpoint, know what was acknowledged to them, and count what they should never see.
/// {@link org.quiredb.node.lab.FailoverLab} kills, watches and measures under the bookstore's load.
/// {@link org.quiredb.node.lab.KillsLab} kills all that there is at random instants under the
/// ledger's own load. {@link org.quiredb.node.lab.LabNetwork} is what can be cut. {@link
/// org.quiredb.node.lab.CalmLab} strikes nobody, and takes the processors away.
///
/// Times are seen from outside: a status is asked for every 10 ms, so that no figure depends on
/// what the tier says of itself, and none is finer than that.
@NullMarked
package org.quiredb.node.lab;

import org.jspecify.annotations.NullMarked;
