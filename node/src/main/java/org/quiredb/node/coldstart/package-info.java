/// Cold starts: a tier of processes whose hosts begin in any order, with nothing there yet or after
/// the power went amid load, one of them missing for good.
///
/// {@link org.quiredb.node.coldstart.Draw} says from a seed what is tried, {@link
/// org.quiredb.node.coldstart.ColdTier} is what is started and ended, {@link
/// org.quiredb.node.coldstart.ColdStartLab} does it and judges. A start is good when a client can
/// write and read through every scheduler, every process serves or stands by, none has ended by
/// itself, and everything that was acknowledged before is there: nobody lends a hand.
@NullMarked
package org.quiredb.node.coldstart;

import org.jspecify.annotations.NullMarked;
