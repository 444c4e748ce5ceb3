/// The character sets that clients speak.
///
/// The tier computes in UTF-8. Where bytes come from a client or go to it, and nowhere else, they
/// become text of its character_set_client, and packets of its character_set_results; a client of
/// UTF-8 is not converted. What is told to replicas, masters and backends is UTF-8, with the
/// client's collation_connection.
///
/// A query is decoded before it is read: in GBK, Big5 and Shift_JIS a backslash may be half a
/// character. A string that is none of the client's characters keeps its bytes, as a hexadecimal
/// constant, and so does one whose introducer names another set.
///
/// What a set has not is `?` in a result, and its code in an error, as MariaDB does it. Java knows
/// the sets; where MariaDB has another character for a byte, {@link
/// org.quiredb.scheduler.characters.CharacterSet} says so, and CharacterSetsTest compares them all
/// with a server. Sets in which ASCII is something else, and those that Java does not have, are
/// refused.
@NullMarked
package org.quiredb.scheduler.characters;

import org.jspecify.annotations.NullMarked;
