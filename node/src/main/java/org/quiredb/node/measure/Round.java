package org.quiredb.node.measure;

import java.util.Map;
import org.quiredb.tpcw.run.WorkloadResult;

/// One measurement of one system.
///
/// @param throttledPercent of the periods in which a server ran its share was used up, by server
/// @param backlog commits that the database under the tier had yet to apply at the end
record Round(
        WorkloadResult result,
        CpuTimes.Use use,
        Map<String, Double> throttledPercent,
        long backlog) {}
