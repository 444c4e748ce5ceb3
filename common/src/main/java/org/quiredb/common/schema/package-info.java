/// The catalogue's definitions, as read from a backend and sent to every replica.
@NullMarked
package org.quiredb.common.schema;

import org.jspecify.annotations.NullMarked;
