/// Reading a backend at one moment: its schema, its rows, and digests of them.
///
/// A {@link BackendSnapshot} is one InnoDB consistent snapshot. The positions read in it are exact,
/// because appliers move them in the transactions that change the rows.
///
/// Values are passed on as the bytes of MySQL's text protocol, never as Java objects: what a
/// replica loads, and what digests are made of, is what a client would see.
@NullMarked
package org.quiredb.logger.snapshot;

import org.jspecify.annotations.NullMarked;
