package org.quiredb.node.lab;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.message.NodeStatus;

/// What one struck process cost, in ms and seconds from the moment of the fault.
///
/// @param process its name
/// @param role what it was
/// @param detectionMillis until a surviving replica knew of it; empty for who is no replica
/// @param takeoverMillis until another master, or another logger, served; empty for the rest
/// @param longestWriteMillis the longest that any ledger client waited for an update transaction,
///   from the fault until the process serves again
/// @param longestReadMillis the same for a read-only transaction
/// @param connectionsLost by ledger clients and browsers
/// @param failed statements and interactions that failed, by error number
/// @param retries transactions that browsers ran again, as error 1213 asks for
/// @param wipsBefore median of the seconds before
/// @param warmUpSeconds full seconds until 90 % of that; -1 when it took longer than was waited
/// @param migrationMillis from its new start until it served again
/// @param received what a replica was sent when it returned; null for who is none
/// @param wipsUntil by second, of those before the kill
/// @param wips by second, from the second of the kill on
public record KillCost(
        String process,
        String role,
        OptionalLong detectionMillis,
        OptionalLong takeoverMillis,
        long longestWriteMillis,
        long longestReadMillis,
        int connectionsLost,
        Map<Integer, Integer> failed,
        long retries,
        double wipsBefore,
        int warmUpSeconds,
        long migrationMillis,
        @Nullable Received received,
        List<Long> wipsUntil,
        List<Long> wips) {
    /// What came to a replica that returned; the others of its pages were on its disk.
    ///
    /// @param pages sent to it
    /// @param bytes of the messages with them
    /// @param allPages that it has then
    public record Received(long pages, long bytes, long allPages) {
        static Received of(NodeStatus status) {
            return new Received(
                    (long) status.figure("pages.joined"),
                    (long) status.figure("pages.joined.bytes"),
                    (long) status.figure("pages"));
        }

        private String text() {
            return " with %d of %d pages received, %d bytes".formatted(pages, allPages, bytes);
        }
    }

    /// In a line for each who may ask: the tier, its clients, the throughput.
    public String summary() {
        return """
        %s (%s): detected %s, taken over %s, back after %d ms%s
          clients: longest write %d ms, longest read %d ms, %d connections lost, %d retries, failed %s
          90 %% of %.0f WIPS after %s; WIPS %s\
        """
                .formatted(
                        process,
                        role,
                        millis(detectionMillis),
                        millis(takeoverMillis),
                        migrationMillis,
                        received == null ? "" : received.text(),
                        longestWriteMillis,
                        longestReadMillis,
                        connectionsLost,
                        retries,
                        failed.isEmpty() ? "nothing" : failed,
                        wipsBefore,
                        warmUpSeconds < 0 ? "more than waited for" : warmUpSeconds + " s",
                        wips.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }

    /// Under the names of the command's JSON.
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("process", process());
        json.put("role", role());
        detectionMillis().ifPresent(millis -> json.put("detectionMillis", millis));
        takeoverMillis().ifPresent(millis -> json.put("takeoverMillis", millis));
        json.put("longestStallMillis", Math.max(longestWriteMillis(), longestReadMillis()));
        json.put("longestWriteMillis", longestWriteMillis());
        json.put("longestReadMillis", longestReadMillis());
        json.put("connectionsLost", connectionsLost());
        json.put("failedByError", failed());
        json.put("retries", retries());
        json.put("wipsBefore", wipsBefore());
        json.put("warmUpSeconds", warmUpSeconds());
        json.put("migrationMillis", migrationMillis());
        Received came = received;
        if (came != null) {
            json.put("receivedPages", came.pages());
            json.put("receivedBytes", came.bytes());
            json.put("allPages", came.allPages());
        }
        json.put("wipsBySecondBefore", wipsUntil());
        json.put("wipsBySecond", wips());
        return json;
    }

    private static String millis(OptionalLong millis) {
        return millis.isPresent() ? millis.getAsLong() + " ms" : "-";
    }
}
