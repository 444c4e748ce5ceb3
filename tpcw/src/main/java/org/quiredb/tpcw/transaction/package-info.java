/// Transactions over plain JDBC: marked read-only or update before they begin, run again when they
/// lost a deadlock ([TransactionRunner]), and the statements in them.
@NullMarked
package org.quiredb.tpcw.transaction;

import org.jspecify.annotations.NullMarked;
