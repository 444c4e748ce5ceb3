/// How MariaDB describes what an expression gives: the one table of the types, lengths, decimals,
/// flags and character sets of the results of functions and operators.
///
/// A server derives them from the operands' own, before it computes anything; drivers choose their
/// types by them. What is not in the table is described by nobody here: a plain read with such a
/// column is the backend's.
///
/// Pure. Source: observed on MariaDB 11.4, to which `DescribedColumnsTest` holds the table for each
/// function over columns of every type.
@NullMarked
package org.quiredb.replica.describe;

import org.jspecify.annotations.NullMarked;
