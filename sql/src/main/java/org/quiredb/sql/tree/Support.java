package org.quiredb.sql.tree;

/// What of a tree the tier runs in update transactions only, because a plain read has the backend,
/// which describes its result exactly.
///
/// Threads: one.
public final class Support extends TreeWalk {
    private String reason = "";

    private Support() {}

    /// Why a read outside update transactions is the backend's; empty when a replica runs it.
    public static String leftToBackend(Query query) {
        Support support = new Support();
        support.query(query);
        return support.reason;
    }

    private void leave(String what) {
        if (reason.isEmpty()) {
            reason = what;
        }
    }

    private void function(Function function) {
        if (function.where() == Function.Where.TRANSACTIONS) {
            leave("function " + function.name());
        }
    }

    @Override
    public void expression(Expression expression) {
        switch (expression) {
            case Expression.Call call -> function(call.function());
            case Expression.Aggregate aggregate -> function(aggregate.function());
            case Expression.Moved moved -> leave("INTERVAL");
            case Expression.Like like when like.binary() -> leave("LIKE BINARY");
            case Expression.Binary binary
                    when binary.operator() == BinaryOperator.DIVIDE
                            || binary.operator() == BinaryOperator.INTEGER_DIVIDE
                            || binary.operator() == BinaryOperator.MODULO ->
                    leave("operator " + binary.operator().text());
            default -> {}
        }
        super.expression(expression);
    }
}
