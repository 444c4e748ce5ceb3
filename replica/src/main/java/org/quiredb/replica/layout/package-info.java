/// Tables as they lie on pages, apart from H2: what a MySQL column type is here, where a row's
/// values are among its bytes, how texts compare, and what the keys of a table's trees are made of.
///
/// Table ids and root pages are ours alone, since H2's object ids are recycled: the tree of the
/// n-th index of a definition has its root on page n, and a table without a primary key has one
/// tree more, of locators.
///
/// Invariant: the unsigned order of keys is that of the values, and no key begins another.
/// Invariant: rows and keys of the same values have the same bytes on every replica; they lie on
/// pages and files that outlive a process.
///
/// Threads: any; all is immutable but a table's counters. By example: CollationTest.
@NullMarked
package org.quiredb.replica.layout;

import org.jspecify.annotations.NullMarked;
