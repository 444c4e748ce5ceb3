/// Text in tokens: the one place that knows MySQL's quotes, comments and escapes.
///
/// A client's text is cut into tokens once ({@link org.quiredb.sql.text.Tokens}) and normalised
/// ({@link org.quiredb.sql.text.NormalizedSql}): its constants become operands, so that readings,
/// plans and classifications are cached by text. Who has something to fill in or to put around the
/// client's own text does so at the tokens' places ({@link org.quiredb.sql.text.Edits}).
///
/// Invariant: a client's text and a normalised one are cut by different rules, and each text by its
/// own: in the one a backslash begins an escape, in the other it is a character. To mix them up is
/// to take what follows a string for a part of it.
///
/// Threads: any, where a class does not say otherwise. By example: NormalizedSqlTest, NestingTest.
@NullMarked
package org.quiredb.sql.text;

import org.jspecify.annotations.NullMarked;
