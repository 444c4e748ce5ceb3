package org.quiredb.master.session;

import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.master.transaction.UpdateTransaction;

/// The one conflict class that a transaction's tables belong to.
///
/// Threads: one at a time, its session's.
final class TransactionClass implements UpdateTransaction.TableGuard {
    private final IntFunction<Optional<ConflictClass>> classOf;
    private final IntFunction<String> nameOf;
    private final Predicate<ConflictClass> served;
    private int firstTable;
    private @Nullable ConflictClass conflictClass;

    /// @param served whether this is the class's master
    TransactionClass(
            IntFunction<Optional<ConflictClass>> classOf,
            IntFunction<String> nameOf,
            Predicate<ConflictClass> served) {
        this.classOf = classOf;
        this.nameOf = nameOf;
        this.served = served;
    }

    @Override
    public void touch(int tableId) {
        ConflictClass touched =
                classOf.apply(tableId)
                        .orElseThrow(() ->
                                new IllegalStateException("table " + tableId + " is of no class"));
        if (conflictClass == null) {
            if (!served.test(touched)) {
                throw new QuireException(
                        ErrorCode.DEADLOCK,
                        "table %s is of class %s, which has another master; try restarting transaction"
                                .formatted(nameOf.apply(tableId), touched));
            }
            conflictClass = touched;
            firstTable = tableId;
        } else if (!conflictClass.equals(touched)) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "This version of Quire doesn't yet support an update transaction over two conflict classes: table %s is of class %s, table %s of class %s; %s"
                            .formatted(
                                    nameOf.apply(firstTable),
                                    conflictClass,
                                    nameOf.apply(tableId),
                                    touched,
                                    ConflictClass.REMEDY));
        }
    }

    /// Empty while the transaction has touched no table.
    Optional<ConflictClass> conflictClass() {
        return Optional.ofNullable(conflictClass);
    }
}
