/// Schema changes: which class a DDL statement belongs to, what it changed, and how that becomes a
/// write set.
///
/// DDL runs on the backends, in the class's commit order, and the master learns the outcome as a
/// whole new schema. What differs from its catalogue becomes schema changes; a changed table is
/// dropped and created anew with its rows, under a new table id, so that readers at older tags
/// never meet the new layout.
///
/// No catalogue names that id before the commit. So {@link org.quiredb.master.schema.PartsAhead}
/// sends the table's pages ahead of it, in parts, as far as the in-sync replicas follow; the commit
/// is given its number when all of them have all parts, so that whoever has it can hand it over
/// without them. A change that breaks off leaves pages that nobody can read: ids are given once,
/// and the next master takes the change in under others.
@NullMarked
package org.quiredb.master.schema;

import org.jspecify.annotations.NullMarked;
