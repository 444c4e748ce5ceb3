package org.quiredb.node.isolation;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Statements of two sessions in one order, drawn from a seed.
///
/// Both change the rows 1 to 4; rows between 10 and 20 are a's to add and remove, between 20 and 30
/// b's. Statements that lock name one key of a row that is there for good or is the session's own:
/// how far an engine locks around what it does not find is its own.
///
/// @param level of JDBC
record Schedule(long seed, int level, List<Step> steps) {
    private static final int STEPS = 40;

    /// @param session 0 or 1
    record Step(int session, String sql) {}

    static Schedule of(long seed, int level) {
        Random random = new Random(seed);
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            int session = random.nextInt(2);
            steps.add(new Step(session, statement(random, session, level)));
        }
        return new Schedule(seed, level, steps);
    }

    private static String statement(Random random, int session, int level) {
        int shared = random.nextInt(1, 5);
        int own = 10 * (session + 1) + random.nextInt(1, 4);
        int value = random.nextInt(100);
        boolean locksReads = level == Connection.TRANSACTION_SERIALIZABLE;
        return switch (random.nextInt(locksReads ? 12 : 18)) {
            case 0, 1 -> "update t set v = v + " + value + " where id = " + shared;
            case 2 -> "update t set k = " + value + ", v = v + 1 where id = " + shared;
            case 3 -> "update t set v = 0 where id = " + shared;
            case 4 ->
                    "insert into t values (%d, %d, 1) on duplicate key update v = v + 1, k = %d"
                            .formatted(own, value, value);
            case 5 -> "delete from t where id = " + own;
            case 6 -> "select v from t where id = " + shared + " for update";
            case 7 -> "select v from t where id = " + shared + " lock in share mode";
            case 8 -> "rollback";
            case 9, 10 -> "commit";
            case 11 -> "select k, v from t where id = " + shared;
            case 12 -> "select id, k, v from t order by id";
            case 13 ->
                    "select id, v from t where k between %d and 60 order by k, id"
                            .formatted(value / 2);
            case 14 -> "select count(*), sum(v), max(id), min(k) from t";
            case 15 -> "select id from t where id >= " + shared + " order by id desc limit 3";
            case 16 -> "select x.id, y.id from t x join t y on y.k = x.k order by x.id, y.id";
            default -> "select k, v from t where id = " + own;
        };
    }

    @Override
    public String toString() {
        return "seed " + seed + " at " + level;
    }
}
