/// Which class a schema change belongs to, by example.
@NullMarked
package org.quiredb.master.schema;

import org.jspecify.annotations.NullMarked;
