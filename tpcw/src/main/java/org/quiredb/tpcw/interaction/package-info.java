/// The fourteen web interactions of TPC-W as plain JDBC: for each a record with what the browser
/// sends and its SQL.
///
/// A transaction is marked read-only or update before it begins
/// ([org.quiredb.tpcw.transaction.TransactionRunner]). Where an interaction both reads and writes,
/// it is kind to engines that lock pages or gaps: it writes first and reads what it wrote
/// afterwards, or reads in a read-only transaction of its own beforehand where the specification
/// lets it (a promotion, an address that never changes, the related items of [AdminConfirm], which
/// may even run dirty). Nothing is read in an update transaction only to be written by it later, so
/// that no read lock has to become a write lock.
///
/// Every update transaction touches the tables in one order: address, customer, shopping_cart,
/// shopping_cart_line, item, orders, order_line, cc_xacts; and the rows of a table by ascending
/// key.
///
/// Where the sources of TPC-W differ: to look at a cart writes nothing; a refresh really changes
/// quantities; searches match anywhere in the text; the latest order is the highest by (o_date,
/// o_id); best sellers are counted over the 3,333 highest order ids.
@NullMarked
package org.quiredb.tpcw.interaction;

import org.jspecify.annotations.NullMarked;
