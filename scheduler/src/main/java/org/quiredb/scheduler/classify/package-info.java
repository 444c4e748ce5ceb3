/// What a statement is, as far as routing needs to know: its kind, the tables it names, whether the
/// in-memory tier runs it with MySQL's exact meaning, and which privileges it takes to run it
/// there.
///
/// The first word decides the kind; queries and changes of rows are read by {@link
/// org.quiredb.sql}, which names their tables and says what only the backend runs. What cannot be
/// read goes where its error or its answer is certain to be MySQL's: reads to the backend,
/// everything else to the master. Classifications are cached by statement text.
///
/// Pure, but for the cache. By example: ClassifierTest, RequirementsTest.
@NullMarked
package org.quiredb.scheduler.classify;

import org.jspecify.annotations.NullMarked;
