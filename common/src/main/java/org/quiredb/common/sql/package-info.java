/// SQL values and text, as far as scheduler and replica share them.
///
/// A client's text is cut into tokens once ({@link Lexer}) and normalised ({@link NormalizedSql}):
/// its constants become operands, so that plans and classifications are cached by text. The query
/// log gets the values back into the text, because a backend must run exactly what the master ran.
/// By example: NormalizedSqlTest.
@NullMarked
package org.quiredb.common.sql;

import org.jspecify.annotations.NullMarked;
