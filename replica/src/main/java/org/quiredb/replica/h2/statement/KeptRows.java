package org.quiredb.replica.h2.statement;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.h2.api.DatabaseEventListener;
import org.h2.command.Prepared;
import org.h2.command.query.Query;
import org.h2.command.query.Select;
import org.h2.command.query.SelectGroups;
import org.h2.command.query.SelectUnion;
import org.h2.engine.SessionLocal;
import org.h2.expression.Expression;
import org.h2.expression.ExpressionColumn;
import org.h2.index.QueryExpressionIndex;
import org.h2.table.TableFilter;
import org.h2.value.Value;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.QuireException;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.engine.StatementMemory;

/// What a query of H2's keeps of its rows: each of its SELECTs, and of those in its FROM, has its
/// rows or its groups in one piece before the first goes on.
///
/// H2 tells after every 128 rows how far a SELECT is ({@link Progress}). Some of the rows are
/// weighed then; what all take is reckoned from their mean.
///
/// Threads: the statement's own.
public final class KeptRows {
    /// An array and its place in a list, or an entry of a tree.
    private static final int ROW_BYTES = 48;

    private static final int VALUE_BYTES = 8;

    /// What an aggregate has for each group, about.
    private static final int GROUPED_VALUE_BYTES = 64;

    /// So many different rows of a DISTINCT are looked at, no more.
    private static final int MAXIMUM_MET = 1 << 16;

    /// Fewer say nothing.
    private static final int FEW = 8;

    /// A row of a SELECT that is not seen, within a condition.
    private static final int UNSEEN_BYTES = 64;

    /// A row that H2 is about to change, as it was and as it is to be.
    private static final int CHANGED_BYTES = 400;

    private static final long TOLD_BYTES = 1 << 20;

    private static final VarHandle GROUPS = handle(Select.class, "groupData", SelectGroups.class);
    private static final Class<?> GROUPED = grouped();
    private static final VarHandle BY_KEY = handle(GROUPED, "groupByData", TreeMap.class);

    private static final class Weight {
        private final Select select;
        private final boolean collects;
        private long weighedBytes;
        private long weighed;

        /// How often each weighed row of a DISTINCT was met, by its hash.
        private final Map<Long, Integer> met = new HashMap<>();

        private int metOnce;
        private int metTwice;

        Weight(Select select) {
            this.select = select;
            collects = select.isGroupQuery() && collects(select);
        }

        /// The row that the SELECT stands on.
        void weigh(SessionLocal session) {
            long bytes = ROW_BYTES;
            long hash = 0;
            for (Expression expression : select.getExpressions()) {
                Value value = value(expression.getNonAliasExpression(), session);
                bytes += VALUE_BYTES + (value == null ? GROUPED_VALUE_BYTES : value.getMemory());
                hash = mixed(hash + (value == null ? 0 : value.hashCode()));
            }
            weighedBytes += bytes;
            weighed++;
            if (select.isAnyDistinct() && met.size() < MAXIMUM_MET) {
                meet(hash);
            }
        }

        /// Spreads what differs little: of two columns of small numbers the usual hash has few, and
        /// rows that differ would pass for one. The finalizer of SplitMix64.
        private static long mixed(long hash) {
            long spread = hash + 0x9E3779B97F4A7C15L;
            spread = (spread ^ (spread >>> 30)) * 0xBF58476D1CE4E5B9L;
            spread = (spread ^ (spread >>> 27)) * 0x94D049BB133111EBL;
            return spread ^ (spread >>> 31);
        }

        private void meet(long hash) {
            int times = met.merge(hash, 1, Integer::sum);
            metOnce += times == 1 ? 1 : times == 2 ? -1 : 0;
            metTwice += times == 2 ? 1 : times == 3 ? -1 : 0;
        }

        /// Of the rows of a DISTINCT those that differ, as many as Chao's estimate says: what was
        /// met once and twice tells how many were not met.
        private long different(long rows) {
            return metTwice < FEW
                    ? metOnce < FEW && met.size() > 0 && weighed > FEW ? met.size() : rows
                    : Math.min(rows, met.size() + (long) metOnce * metOnce / (2L * metTwice));
        }

        /// Null where it is not known yet.
        private @Nullable Value value(Expression expression, SessionLocal session) {
            if (select.isGroupQuery() && !(expression instanceof ExpressionColumn)) {
                return null; // it may have no value before the groups are whole
            }
            try {
                return expression instanceof ExpressionColumn column
                                && column.getTableFilter() != null
                        ? column.getTableFilter().getValue(column.getColumn())
                        : expression.getValue(session);
            } catch (QuireException e) {
                throw e;
            } catch (RuntimeException e) {
                return null; // of a row that the condition may yet leave out
            }
        }

        long bytes() {
            long rows = select.getCurrentRowNumber();
            if (weighed == 0) {
                return rows * UNSEEN_BYTES;
            }
            long each = weighedBytes / weighed;
            if (!select.isGroupQuery()) {
                return (select.isAnyDistinct() ? different(rows) : rows) * each;
            }
            return groups() * each + (collects ? rows * UNSEEN_BYTES : 0);
        }

        private long groups() {
            Object groups = GROUPS.get(select);
            Object byKey = GROUPED.isInstance(groups) ? BY_KEY.get(groups) : null;
            return byKey instanceof TreeMap<?, ?> map ? map.size() : 0;
        }
    }

    private final SessionLocal session;
    private final StatementMemory.Account account;
    private final IdentityHashMap<Select, Weight> selects = new IdentityHashMap<>();
    private long rowBytes;
    private long collectedBytes;
    private long toldBytes;
    private long unseenRows;
    private long unseenBytes = UNSEEN_BYTES;

    public KeptRows(SessionLocal session, StatementMemory.Account account) {
        this.session = session;
        this.account = account;
    }

    /// A statement is about to be run, of which a part may be.
    void runs(@Nullable Prepared prepared) {
        if (prepared instanceof Query query) {
            add(query);
        } else if (prepared != null) {
            unseenBytes = CHANGED_BYTES;
        }
    }

    private void add(@Nullable Query query) {
        if (query instanceof SelectUnion union) {
            add(union.getLeft());
            add(union.getRight());
        } else if (query instanceof Select select && select.getTopTableFilter() != null) {
            selects.computeIfAbsent(select, Weight::new);
            for (TableFilter filter : filters(select.getTopTableFilter())) {
                if (filter.getIndex() instanceof QueryExpressionIndex derived) {
                    add(derived.getQuery());
                }
            }
        }
    }

    private static List<TableFilter> filters(TableFilter first) {
        List<TableFilter> all = new ArrayList<>();
        first.visit(all::add);
        return all;
    }

    /// A SELECT is as far as that.
    ///
    /// @throws QuireException when the statement keeps too much
    void reached(long rows) {
        boolean seen = false;
        long bytes = 0;
        for (Weight weight : selects.values()) {
            if (weight.select.getCurrentRowNumber() == rows) {
                seen = true;
                weight.weigh(session);
            }
            bytes += weight.bytes();
        }
        unseenRows = seen ? unseenRows : Math.max(unseenRows, rows);
        rowBytes = bytes + unseenRows * unseenBytes;
        tell();
    }

    /// What GROUP_CONCAT is made of takes more.
    ///
    /// @throws QuireException when the statement keeps too much
    void collects(long more) {
        collectedBytes += more;
        if (collectedBytes - toldBytes > TOLD_BYTES) {
            toldBytes = collectedBytes;
            tell();
        }
    }

    /// Texts for GROUP_CONCAT, of which there are too many, are the backend's: it keeps no more of
    /// them than it shows.
    private void tell() {
        try {
            account.keeps(rowBytes + collectedBytes);
        } catch (QuireException e) {
            throw collectedBytes > rowBytes
                    ? Errors.unsupported("GROUP_CONCAT of more than a statement may keep here")
                    : e;
        }
    }

    /// Has H2 end what it runs.
    void cancel() {
        session.cancel();
    }

    /// Whether an aggregate has every row of its group.
    private static boolean collects(Select select) {
        for (Expression expression : select.getExpressions()) {
            String sql = expression.getSQL(0).toUpperCase(Locale.ROOT);
            if (sql.contains("DISTINCT") || sql.contains("LISTAGG") || sql.contains("_AGG")) {
                return true;
            }
        }
        return false;
    }

    private static Class<?> grouped() {
        try {
            return Class.forName("org.h2.command.query.SelectGroups$Grouped");
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("another H2 than the one pinned: SelectGroups", e);
        }
    }

    private static VarHandle handle(Class<?> of, String field, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(of, MethodHandles.lookup())
                    .findVarHandle(of, field, type);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("another H2 than the one pinned: " + field, e);
        }
    }

    /// Hears from H2, on the statement's thread.
    public static final class Progress implements DatabaseEventListener {
        @Override
        public void setProgress(int state, @Nullable String name, long rows, long ignored) {
            if (state == STATE_STATEMENT_PROGRESS && rows > 0 && Statement.CURRENT.isBound()) {
                Statement.current().reached(rows);
            }
        }
    }
}
