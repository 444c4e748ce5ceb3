/// Calls between processes: requests, streamed answers with a window, over one connection.
@NullMarked
package org.quiredb.common.rpc;

import org.jspecify.annotations.NullMarked;
