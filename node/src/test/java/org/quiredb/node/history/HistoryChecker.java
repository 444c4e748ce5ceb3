package org.quiredb.node.history;

import java.util.ArrayList;
import java.util.List;

/// Finds what is not strictly serialisable in a history of transactions that append unique values
/// to lists and read them.
///
/// A list tells the order in which it was written, so reads and writes give an order between
/// transactions: a cycle in it is an anomaly, and what the cycle is made of is its name (Adya's;
/// the method is that of Elle, by Kingsbury and Alvaro).
final class HistoryChecker {
    private HistoryChecker() {}

    static List<Anomaly> check(List<Transaction> history) {
        Versions versions = new Versions(history);
        List<Anomaly> anomalies = new ArrayList<>(versions.anomalies());
        anomalies.addAll(Cycles.find(Dependencies.of(versions)));
        return anomalies;
    }
}
