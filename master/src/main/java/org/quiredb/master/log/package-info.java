/// The master's side of the persistence logger: requests, and their answers as results or errors.
@NullMarked
package org.quiredb.master.log;

import org.jspecify.annotations.NullMarked;
