/// Conditions that hold in a bookstore at any time, however many browsers shop in it.
///
/// Each is a statement that counts what breaks it. They hold right after the population and after
/// any run, so that a count above zero means that a transaction was lost, done in part or done
/// twice.
@NullMarked
package org.quiredb.tpcw.check;

import org.jspecify.annotations.NullMarked;
