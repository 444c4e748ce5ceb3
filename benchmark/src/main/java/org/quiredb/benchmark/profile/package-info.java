/// Where the processor time of a tier goes: `./bench profile`.
///
/// {@link Profile} starts a tier of processes with the bookstore, lets browsers shop until it is
/// warm, and then has every process of Quire record its own processor time (JFR's CPU-time samples)
/// while they go on. {@link Samples} reads a recording, {@link ProfileReport} tells what an
/// interaction costs in each process, by group of threads and by stage, and a flame graph of each
/// process shows the rest.
@NullMarked
package org.quiredb.benchmark.profile;

import org.jspecify.annotations.NullMarked;
