package org.quiredb.replica.kind;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.TableDefinition;
import org.quiredb.replica.layout.ColumnType;
import org.quiredb.replica.layout.TableLayout;
import org.quiredb.sql.tree.Expression;

/// The tables whose columns an expression can name, those of the queries around it among them.
///
/// Threads: one.
final class Sources {
    /// A column that a query shows, or a table has.
    ///
    /// @param invisible no part of `*`
    record Shown(String name, Typed type, boolean invisible) {
        Shown(String name, Typed type) {
            this(name, type, false);
        }
    }

    /// @param called in lower case
    record Source(String called, List<Shown> columns) {
        Source {
            columns = List.copyOf(columns);
        }

        static Source of(String called, TableLayout table) {
            return of(called, table.definition(), table.rows()::type);
        }

        static Source of(TableDefinition table) {
            return of(table.name(), table, i -> ColumnType.of(table.columns().get(i)));
        }

        private static Source of(
                String called, TableDefinition table, IntFunction<ColumnType> types) {
            List<Shown> columns = new ArrayList<>();
            for (int i = 0; i < table.columns().size(); i++) {
                columns.add(
                        new Shown(
                                table.columns().get(i).name(),
                                Typed.of(table, table.columns().get(i), types.apply(i)),
                                table.columns().get(i).invisible()));
            }
            return new Source(called.toLowerCase(Locale.ROOT), columns);
        }

        @Nullable Typed find(String column) {
            for (Shown shown : columns) {
                if (shown.name().equalsIgnoreCase(column)) {
                    return shown.type();
                }
            }
            return null;
        }
    }

    private final @Nullable Sources around;
    private final List<Source> sources = new ArrayList<>();
    private final Map<String, Typed> labels = new HashMap<>();

    Sources(@Nullable Sources around) {
        this.around = around;
    }

    void add(Source source) {
        sources.add(source);
    }

    /// An outer join may not find rows of these.
    void perhaps(int from, int to) {
        for (int i = from; i < to; i++) {
            Source source = sources.get(i);
            List<Shown> columns =
                    source.columns.stream()
                            .map(one ->
                                    new Shown(one.name(), one.type().perhaps(), one.invisible()))
                            .toList();
            sources.set(i, new Source(source.called, columns));
        }
    }

    List<Source> all() {
        return List.copyOf(sources);
    }

    /// From here on what is shown has names, too.
    void labels(List<Shown> shown) {
        for (Shown one : shown) {
            labels.putIfAbsent(one.name().toLowerCase(Locale.ROOT), one.type());
        }
    }

    Typed find(Expression.Column column) {
        Typed label =
                column.table().isEmpty()
                        ? labels.get(column.name().toLowerCase(Locale.ROOT))
                        : null;
        if (label != null) {
            return label;
        }
        for (Source source : sources) {
            boolean meant =
                    column.table().isEmpty() || column.table().equalsIgnoreCase(source.called);
            Typed found = meant ? source.find(column.name()) : null;
            if (found != null) {
                return found;
            }
        }
        return around == null ? Typed.UNKNOWN : around.find(column);
    }

    /// What `*`, or `table.*`, shows.
    List<Shown> everything(String table) {
        return sources.stream()
                .filter(source -> table.isEmpty() || table.equalsIgnoreCase(source.called))
                .flatMap(source -> source.columns.stream())
                .filter(column -> !column.invisible())
                .toList();
    }
}
