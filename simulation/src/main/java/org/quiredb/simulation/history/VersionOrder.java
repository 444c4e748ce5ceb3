package org.quiredb.simulation.history;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.simulation.history.Graph.Why;

/// The versions of one list or register, oldest first, and what follows from them for those that
/// wrote and read them.
record VersionOrder(int key, List<Integer> values, Outcomes outcomes, Graph graph) {
    void writes() {
        Transaction before = null;
        for (int value : values) {
            Transaction writer = counted(value);
            if (writer != null) {
                graph.add(before, writer, Why.WRITE_WRITE, key, value);
                before = writer;
            }
        }
    }

    /// @param seen how many of the versions, the last of which the reader saw
    void read(Transaction reader, int seen) {
        if (seen > 0) {
            int last = values.get(seen - 1);
            graph.add(outcomes.writer(key, last), reader, Why.WRITE_READ, key, last);
        }
        for (int value : values.subList(seen, values.size())) {
            Transaction writer = counted(value);
            if (writer != null) { // where it is the reader itself, its own write leads on
                graph.add(reader, writer, Why.READ_WRITE, key, value);
                return;
            }
        }
    }

    private @Nullable Transaction counted(int value) {
        Transaction writer = outcomes.writer(key, value);
        return writer != null && outcomes.counts(writer) ? writer : null;
    }
}
