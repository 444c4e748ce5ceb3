package org.quiredb.replica.execution;

import java.util.ArrayList;
import java.util.List;

/// AND, OR and NOT.
public final class Logic {
    private static final SearchCondition ALWAYS = at -> SearchCondition.TRUE;

    private Logic() {}

    public static SearchCondition every(List<SearchCondition> parts) {
        if (parts.isEmpty()) {
            return ALWAYS;
        }
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        SearchCondition[] all = parts.toArray(SearchCondition[]::new);
        return at -> {
            int result = SearchCondition.TRUE;
            for (SearchCondition one : all) {
                int test = one.test(at);
                if (test == SearchCondition.FALSE) {
                    return SearchCondition.FALSE;
                }
                if (test == SearchCondition.UNKNOWN) {
                    result = SearchCondition.UNKNOWN;
                }
            }
            return result;
        };
    }

    public static SearchCondition any(List<SearchCondition> parts) {
        SearchCondition[] all = parts.toArray(SearchCondition[]::new);
        return at -> {
            int result = SearchCondition.FALSE;
            for (SearchCondition one : all) {
                int test = one.test(at);
                if (test == SearchCondition.TRUE) {
                    return SearchCondition.TRUE;
                }
                if (test == SearchCondition.UNKNOWN) {
                    result = SearchCondition.UNKNOWN;
                }
            }
            return result;
        };
    }

    public static SearchCondition not(SearchCondition part) {
        return at -> {
            int test = part.test(at);
            return test == SearchCondition.UNKNOWN ? test : 1 - test;
        };
    }

    /// All parts with an execution's values.
    static SearchCondition every(
            List<Late<SearchCondition>> parts, List<org.quiredb.common.sql.SqlValue> values) {
        return every(bound(parts, values));
    }

    /// The parts with an execution's values.
    public static <T> List<T> bound(
            List<Late<T>> parts, List<org.quiredb.common.sql.SqlValue> values) {
        List<T> all = new ArrayList<>(parts.size());
        for (int i = 0; i < parts.size(); i++) {
            all.add(parts.get(i).with(values));
        }
        return all;
    }
}
