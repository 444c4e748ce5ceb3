package org.quiredb.simulation.history;

import java.util.ArrayList;
import java.util.List;

/// Finds what is not strictly serialisable in a history of transactions that write unique values
/// and read them.
///
/// What was read tells the order in which lists, registers and groups were written, and so an order
/// between transactions: a cycle in it is an anomaly, and what the cycle is made of is its name
/// (Adya's; the method is that of Elle, by Kingsbury and Alvaro). Nothing is assumed where a
/// history leaves two orders open, so that what is found is true; what is not found may still be
/// there.
public final class HistoryChecker {
    private HistoryChecker() {}

    /// Worst first, none twice.
    public static List<Anomaly> check(List<Transaction> history) {
        List<Anomaly> anomalies = new ArrayList<>();
        Outcomes outcomes = new Outcomes(history, anomalies);
        Graph graph = new Graph(outcomes.counted());
        Lists.check(outcomes, graph, anomalies);
        Registers.check(outcomes, graph, anomalies);
        Groups.check(history, outcomes, graph, anomalies);
        Counters.check(history, anomalies);
        anomalies.addAll(Cycles.find(graph));
        return anomalies.stream().distinct().toList();
    }
}
