/// Text in tokens: the one place that knows MySQL's quotes, comments and escapes.
///
/// A client's text is cut into tokens once ({@link org.quiredb.sql.text.Lexer}) and normalised
/// ({@link org.quiredb.sql.text.NormalizedSql}): its constants become operands, so that readings,
/// plans and classifications are cached by text.
///
/// By example: NormalizedSqlTest.
@NullMarked
package org.quiredb.sql.text;

import org.jspecify.annotations.NullMarked;
