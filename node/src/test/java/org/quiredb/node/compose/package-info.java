/// The composed tier of docker-compose.yml as processes of this machine.
@NullMarked
package org.quiredb.node.compose;

import org.jspecify.annotations.NullMarked;
