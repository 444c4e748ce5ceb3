/// Schema changes: which class a DDL statement belongs to, what it changed, and how that becomes a
/// write set.
///
/// DDL runs on the backends, in the class's commit order, and the master learns the outcome as a
/// whole new schema. What differs from its catalogue becomes schema changes; a changed table is
/// dropped and created anew with its rows, under a new table id, so that readers at older tags
/// never meet the new layout.
@NullMarked
package org.quiredb.master.schema;

import org.jspecify.annotations.NullMarked;
