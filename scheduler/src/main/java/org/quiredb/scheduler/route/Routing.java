package org.quiredb.scheduler.route;

import org.quiredb.common.error.ErrorCode;

/// Where a statement goes.
public sealed interface Routing {
    record ToMaster(String replica) implements Routing {}

    record ToReplica(String replica) implements Routing {}

    record Rejected(ErrorCode code, String message) implements Routing {}
}
