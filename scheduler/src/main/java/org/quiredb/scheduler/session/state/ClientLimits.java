package org.quiredb.scheduler.session.state;

import java.time.Duration;

/// What one client, or one that is no client yet, may take of a scheduler.
///
/// @param arrivals connections that have not logged in
/// @param connect how long a login may take
/// @param idle how long a client may be, unless it sets wait_timeout
/// @param interactiveIdle of clients that call themselves interactive
/// @param packetBytes of one packet, and of the long data of one statement
/// @param preparedStatements of one connection
/// @param nesting of parentheses and the like in a statement
/// @param longBackendConnections for statements that take long there, beyond those for all
/// @param schemaWait how long a schema change waits for what reads on the backend; half of it for
///   what is idle there
/// @param overlayRows that a transaction may have changed before what only the backend runs
/// @param overlay how long such a statement may take there
public record ClientLimits(
        int arrivals,
        Duration connect,
        Duration idle,
        Duration interactiveIdle,
        int packetBytes,
        int preparedStatements,
        int nesting,
        int longBackendConnections,
        Duration schemaWait,
        int overlayRows,
        Duration overlay) {
    public static final ClientLimits DEFAULT =
            new ClientLimits(
                    256,
                    Duration.ofSeconds(10),
                    Duration.ofHours(8),
                    Duration.ofHours(8),
                    64 << 20,
                    1_000,
                    200,
                    32,
                    Duration.ofSeconds(10),
                    10_000,
                    Duration.ofSeconds(60));
}
