/// The whole cluster in one thread, on a simulated network, clock and disk, driven by one seed.
///
/// Real: `Succession`, `Topology` and `Role` with `RoleEvents`, which carries decisions out;
/// `Intake` with `Progress`, `RecentWriteSets` and the page store; `Mastery`, `Inquiry`, and
/// `CommitPath` with `CommitSequence`; `Accession` to classes that are taken over or received,
/// `Wishes`, by which they are handed on, and the `Remainder` of a life that ends; `Revival`,
/// `ColdLoad` and `Joining`, by which one begins, `Admission`, by which it is let in, with
/// `TransferSource`, `TransferTarget` and `Departures`; `LockTable`; `LogWork` and `LogTail` over
/// tables in memory; `ApplierPosition`; `ReadFence`, `SchedulersFence` and `Watermarks`; `Tags`,
/// and `ReadAttempts` with `Router`; `Attempts`, `Resumption`, `Ending` and `Settlement` of update
/// transactions, with `Transcript` and `ResultSum`; `PeerAgreement` of each scheduler, with
/// `Agreement`, `Lease` and who waits for them, and `MastersTold`; the codecs of group, log,
/// transfer and scheduler messages and of write sets.
///
/// Modelled, after the class that is named: threads, queues and waiting (`ClassCommits`, `Commits`,
/// `StreamIntake`, `RoleKeeper`, `LogWriter`, `Applier`); who asks and answers for a replica that
/// begins (`TierView`, `ReplicaLife`, `Joiner`; `ReplicaService`, `MasterService`); sessions and
/// their gate (`Sessions`, `SchemaGate`); heartbeats (`Cluster`). SQL and schema changes are left
/// out: a key is a page. An outcome is forgotten after a few further commits. Replicas have no data
/// folder, and the support of a transfer sends as of one moment.
///
/// The network delays, and loses what a dead or excluded member sent; messages of one sender stay
/// in order. What a backend has committed outlives everything.
///
/// Invariant: nothing depends on the real clock, a thread, or the order of a hash: the same seed is
/// the same run. Threads: one.
@NullMarked
package org.quiredb.simulation;

import org.jspecify.annotations.NullMarked;
