package org.quiredb.replica.execution;

import java.util.ArrayList;
import java.util.List;

/// AND, OR and NOT.
public final class Logic {
    private static final Condition ALWAYS = at -> Condition.TRUE;

    private Logic() {}

    public static Condition every(List<Condition> parts) {
        if (parts.isEmpty()) {
            return ALWAYS;
        }
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        Condition[] all = parts.toArray(Condition[]::new);
        return at -> {
            int result = Condition.TRUE;
            for (Condition one : all) {
                int test = one.test(at);
                if (test == Condition.FALSE) {
                    return Condition.FALSE;
                }
                if (test == Condition.UNKNOWN) {
                    result = Condition.UNKNOWN;
                }
            }
            return result;
        };
    }

    public static Condition any(List<Condition> parts) {
        Condition[] all = parts.toArray(Condition[]::new);
        return at -> {
            int result = Condition.FALSE;
            for (Condition one : all) {
                int test = one.test(at);
                if (test == Condition.TRUE) {
                    return Condition.TRUE;
                }
                if (test == Condition.UNKNOWN) {
                    result = Condition.UNKNOWN;
                }
            }
            return result;
        };
    }

    public static Condition not(Condition part) {
        return at -> {
            int test = part.test(at);
            return test == Condition.UNKNOWN ? test : 1 - test;
        };
    }

    /// All parts with an execution's values.
    static Condition every(
            List<Late<Condition>> parts, List<org.quiredb.common.sql.SqlValue> values) {
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
