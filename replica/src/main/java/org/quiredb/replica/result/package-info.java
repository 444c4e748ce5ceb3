/// Results of reads that are kept and shown again while nothing has changed that they were made of:
/// no expiry, no stale answer.
///
/// **What a read is a function of.** A read at a tag sees of each of its tables the state after the
/// tag's number for that table. Let `S(t, n)` be that state, `made` the tag that a result was made
/// at, `asked` the tag of a read of the same statement with the same values. The result is that of
/// the read when for each table `t` that the statement names
///
/// 1. `made(t) = asked(t)`, or
/// 2. no commit numbered in `(min, max]` of the two changed of `t` what the statement reads: a
///    column that it names anywhere, or which rows there are.
///
/// Results of statements with a function of chance or time are not kept (`TreeFacts.ofItsMoment`),
/// and what a session knows comes as a constant, so that nothing else goes in; parameters, the form
/// of the rows and the status flags are in the key.
///
/// **How (2) is known in nanoseconds.** {@link org.quiredb.replica.result.ChangeHistory} notes for
/// each column of each table that some such statement reads the number of the last commit that
/// changed it, and of the last that brought or removed rows. Let `L` be the greatest of the numbers
/// that concern the statement. Whenever `L <= min(made(t), asked(t))`, the result is valid for `t`.
/// Else it is not used, although it may be right: the last number does not tell whether there was
/// another change before it, so a read at a tag older than the last change computes.
///
/// Invariant (noted before read): a commit is noted before `Progress` lets its class be at its
/// number, and a read looks here only when everything that its tag names has been received; a
/// result was made under the same rule. So at a look-up every commit numbered up to `max(made(t),
/// asked(t))` has been noted, whatever came before or after. Numbers of one class only grow, so `L`
/// is at least the number of any change in `(min, max]`; `L <= min` leaves none. Later commits may
/// be noted meanwhile: they make `L` greater, and so a valid result unused, never the other way
/// round.
///
/// Invariant (what has not been noted counts as changed): a table is noted from the moment on at
/// which a statement asks for it. Until the next commit of its class nothing is known of it ({@link
/// org.quiredb.replica.result.TableHistory#UNKNOWN}), and only (1) holds. That commit, of number
/// `n`, tells that all before it are below `n`: they count as changes of everything at `n - 1`. So
/// what a replica loaded, was sent when it joined, or had on its disk needs no word.
///
/// **What a write set says.** A table of which no page is in it has not changed: a read is a
/// function of pages. Of one with pages in it the row changes for the log name each row that
/// differs and each column, cascades included (`common.writeset`); an insert or a delete is a
/// change of which rows there are, an update of the columns that it names, and no column of a
/// unique key is ever updated. Whatever that does not say for certain is a change of everything:
/// pages without row changes (a schema change, rows moved), a table with a generated column, since
/// these are not named.
///
/// **What ends results for good.** A table that DDL changes has a new id; statements are bound to a
/// state of the catalogue and results belong to a bound statement, so none outlives a schema
/// change. A new table counts as changed at the commit that creates it: a read at an older tag does
/// not find a result of it. Two states cannot have one number: a tag names stable commits, a
/// replica that holds one that never was stable is refused by the read fence before it looks here,
/// and one that joins or begins anew has a new engine, with nothing kept.
///
/// What does not go in: the order of rows that a statement leaves open, as with any other plan for
/// it.
///
/// Parts of a kept result are copied on their way in and out: whoever gets packets writes their
/// numbers into them.
///
/// Lock order: Progress, then ChangeHistory. By example: KeptResultsTest, KeptResultsModelTest.
@NullMarked
package org.quiredb.replica.result;

import org.jspecify.annotations.NullMarked;
