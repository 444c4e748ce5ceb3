/// The messages between roles. Each is a record that encodes itself behind a kind byte; every list
/// is bounded by its message's size.
@NullMarked
package org.quiredb.common.message;

import org.jspecify.annotations.NullMarked;
