/// An open update transaction survives the death of its master: its statements are run again on the
/// new one, and it goes on there when every result comes out as its client saw it before.
///
/// While a transaction is open its {@link Transcript} keeps each statement in the form in which the
/// master took it, and of its result no more than a {@link ResultSum}. Nothing is kept of what goes
/// out, so a result of which a part has gone out already cannot be replaced by another: a statement
/// that was interrupted in the midst of its rows ends its transaction.
///
/// What decides is pure: {@link Attempts} of a statement and {@link Ending} of a transaction say
/// when it is run again, {@link Resumption} how, and {@link Settlement} finds out whether it is
/// committed.
///
/// Why this is right: the lost transaction was never committed, so nobody but its client has seen
/// it. The replay is a new transaction on the new master, with that master's locks. If it answers
/// all that the first one answered, the client cannot tell the two apart, and the replay is
/// serialised at its own commit like any other. If it does not, the client is told error 1213, as
/// if it had lost a deadlock. AUTO_INCREMENT values alone are not compared but given anew as they
/// were: which of two open transactions came first is nothing that a client has asked for.
///
/// A statement that ends whoever runs it is not to end them all: {@link
/// org.quiredb.scheduler.route.Losses} count who was lost under it, its replays included.
///
/// Invariant: a transcript is bounded in statements, bytes and age; past a bound it is empty and
/// the transaction can be replayed no more. A transaction is run again only where it is known that
/// it is not committed, and never will be. By example: ResumptionTest, EndingTest, SettlementTest.
@NullMarked
package org.quiredb.scheduler.replay;

import org.jspecify.annotations.NullMarked;
