package org.quiredb.sql.tree;

/// What of a tree the tier runs in update transactions only, because a plain read has the backend,
/// and what it runs in plain reads only where it can describe the result exactly.
///
/// Threads: one.
public final class Support extends TreeWalk {
    private String reason = "";
    private boolean described;
    private boolean texts;

    private Support() {}

    /// Why a read outside update transactions is the backend's; empty when a replica runs it.
    public static String leftToBackend(Query query) {
        Support support = new Support();
        support.query(query);
        return support.reason;
    }

    /// Whether a plain read of it is a replica's only where all it shows is described.
    public static boolean needsDescription(Query query) {
        Support support = new Support();
        support.query(query);
        return support.described;
    }

    /// Whether texts are computed in what needs a description.
    public static boolean computesTexts(Query query) {
        Support support = new Support();
        support.query(query);
        return support.described && support.texts;
    }

    /// What rows are ordered by chance with shows nowhere.
    @Override
    protected void order(Query.Order order) {
        boolean byChance =
                order.expression() instanceof Expression.Call call
                        && call.function() == Function.RAND
                        && call.arguments().isEmpty();
        if (!byChance) {
            super.order(order);
        }
    }

    private void leave(String what) {
        if (reason.isEmpty()) {
            reason = what;
        }
    }

    private void function(Function function) {
        switch (function.where()) {
            case EVERYWHERE -> {}
            case DESCRIBED -> {
                described = true;
                texts |= !function.withoutTexts();
            }
            case TRANSACTIONS -> leave("function " + function.name());
        }
    }

    @Override
    public void expression(Expression expression) {
        switch (expression) {
            case Expression.Call call -> function(call.function());
            case Expression.Aggregate aggregate -> function(aggregate.function());
            case Expression.Moved moved -> {
                described = true;
                texts = true; // from a text, a text
            }
            case Expression.Joined _ -> {
                described = true;
                texts = true;
            }
            case Expression.Like like when like.binary() -> leave("LIKE BINARY");
            case Expression.Binary binary
                    when binary.operator() == BinaryOperator.DIVIDE
                            || binary.operator() == BinaryOperator.INTEGER_DIVIDE
                            || binary.operator() == BinaryOperator.MODULO ->
                    described = true;
            default -> {}
        }
        super.expression(expression);
    }
}
