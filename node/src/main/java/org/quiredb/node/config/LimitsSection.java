package org.quiredb.node.config;

import java.time.Duration;
import org.quiredb.scheduler.session.state.ClientLimits;

/// What one client may take of a scheduler.
///
/// @param arrivals connections that have not logged in; past it the oldest makes room
/// @param connectSeconds that a login may take
/// @param waitSeconds that a client may be idle, unless it sets wait_timeout
/// @param interactiveSeconds the same of interactive ones
/// @param packetMegabytes of one packet, and of one statement's long data
/// @param preparedStatements of one connection
/// @param nesting of parentheses in a statement
/// @param longBackendConnections for statements that take long there, beyond those for all
/// @param schemaWaitSeconds that a schema change waits for what reads on the backend
/// @param overlayRows that a transaction may have changed before what only the backend runs
/// @param overlaySeconds that such a statement may take there
public record LimitsSection(
        @Default("1000") int arrivals,
        @Default("10") long connectSeconds,
        @Default("28800") long waitSeconds,
        @Default("28800") long interactiveSeconds,
        @Default("64") int packetMegabytes,
        @Default("1000") int preparedStatements,
        @Default("200") int nesting,
        @Default("32") int longBackendConnections,
        @Default("10") long schemaWaitSeconds,
        @Default("10000") int overlayRows,
        @Default("60") long overlaySeconds) {
    public static final LimitsSection DEFAULT =
            new LimitsSection(256, 10, 28_800, 28_800, 64, 1_000, 200, 32, 10, 10_000, 60);

    private static final int PART_OF_HEAP = 16;
    private static final long ALWAYS_TAKEN_BYTES = 16 << 20;
    private static final long YEAR = 31_536_000;

    public LimitsSection {
        SectionChecks.between("scheduler.limits.arrivals", arrivals, 1, 100_000);
        SectionChecks.between("scheduler.limits.connectSeconds", connectSeconds, 1, YEAR);
        SectionChecks.between("scheduler.limits.waitSeconds", waitSeconds, 1, YEAR);
        SectionChecks.between("scheduler.limits.interactiveSeconds", interactiveSeconds, 1, YEAR);
        SectionChecks.between("scheduler.limits.packetMegabytes", packetMegabytes, 1, 1_024);
        SectionChecks.between(
                "scheduler.limits.preparedStatements", preparedStatements, 1, 1_000_000);
        SectionChecks.between("scheduler.limits.nesting", nesting, 10, 10_000);
        SectionChecks.between(
                "scheduler.limits.longBackendConnections", longBackendConnections, 0, 100_000);
        SectionChecks.between("scheduler.limits.schemaWaitSeconds", schemaWaitSeconds, 2, 86_400);
        SectionChecks.between("scheduler.limits.overlayRows", overlayRows, 0, 1_000_000);
        SectionChecks.between("scheduler.limits.overlaySeconds", overlaySeconds, 1, 3_600);
    }

    /// What a statement takes on its way is several times its packet: the heap has to have room for
    /// it, but for one that any server takes.
    ///
    /// @param heapBytes the largest
    int packetBytes(long heapBytes) {
        long most = Math.max(heapBytes / PART_OF_HEAP, ALWAYS_TAKEN_BYTES);
        return (int) Math.min(Math.min((long) packetMegabytes << 20, most), Integer.MAX_VALUE - 64);
    }

    ClientLimits limits() {
        return new ClientLimits(
                arrivals,
                Duration.ofSeconds(connectSeconds),
                Duration.ofSeconds(waitSeconds),
                Duration.ofSeconds(interactiveSeconds),
                packetBytes(Runtime.getRuntime().maxMemory()),
                preparedStatements,
                nesting,
                longBackendConnections,
                Duration.ofSeconds(schemaWaitSeconds),
                overlayRows,
                Duration.ofSeconds(overlaySeconds));
    }
}
