package org.quiredb.scheduler.fallback.connection;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.sql.tree.TableName;

/// A CALL, or a change that fires triggers, as the backend is to be told it.
///
/// @param procedure null of a change of rows, which shows one result at most, and then ends with it
/// @param outputs the names of those OUT parameters whose values its last result shows, of columns
///   that are called as {@link #output} says; none where there is no such result
/// @param told whether the client takes that result
public record ProcedureCall(
        Asked asked, @Nullable TableName procedure, List<String> outputs, boolean told) {
    public ProcedureCall {
        outputs = List.copyOf(outputs);
    }

    /// @param number from 0
    public static String output(int number) {
        return "quire out " + number;
    }

    /// The columns of the OUT parameters' result as a server describes them; none of any other
    /// result.
    public List<ColumnMetadata> outputs(List<ColumnMetadata> columns) {
        TableName of = procedure;
        if (of == null || outputs.size() != columns.size()) {
            return List.of();
        }
        List<ColumnMetadata> described = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            if (!columns.get(i).name().equals(output(i))) {
                return List.of();
            }
            described.add(output(of, columns.get(i), outputs.get(i)));
        }
        return described;
    }

    private static ColumnMetadata output(TableName of, ColumnMetadata shown, String name) {
        return new ColumnMetadata(
                of.database(),
                of.name(),
                of.name(),
                name,
                name,
                shown.characterSet(),
                shown.length(),
                shown.type(),
                shown.flags(),
                shown.decimals());
    }
}
