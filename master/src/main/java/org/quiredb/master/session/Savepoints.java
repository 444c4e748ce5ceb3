package org.quiredb.master.session;

import java.util.ArrayList;
import java.util.List;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.message.SavepointStep;
import org.quiredb.master.transaction.UpdateTransaction;

/// The named savepoints of one transaction, oldest first.
///
/// Setting one again under its name forgets the older; rolling back to one, and releasing it,
/// forgets those set after it. Threads: its session's.
final class Savepoints {
    private static final int MAXIMUM = 1_000;

    private record Named(String name, UpdateTransaction.Savepoint point) {}

    private final List<Named> all = new ArrayList<>();

    /// @throws QuireException with 1305 when there is no savepoint of the name
    void run(SavepointStep step, UpdateTransaction transaction) {
        switch (step.kind()) {
            case SET -> set(step.name(), transaction.savepoint());
            case ROLL_BACK_TO -> {
                int place = place(step.name());
                transaction.rollBackTo(all.get(place).point());
                all.subList(place + 1, all.size()).clear();
            }
            case RELEASE -> all.subList(place(step.name()), all.size()).clear();
        }
    }

    private void set(String name, UpdateTransaction.Savepoint point) {
        all.removeIf(named -> named.name().equals(name));
        if (all.size() == MAXIMUM) {
            throw new QuireException(
                    ErrorCode.NOT_SUPPORTED_YET,
                    "Quire keeps at most " + MAXIMUM + " savepoints of a transaction");
        }
        all.add(new Named(name, point));
    }

    private int place(String name) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).name().equals(name)) {
                return i;
            }
        }
        throw new QuireException(
                ErrorCode.FUNCTION_DOES_NOT_EXIST, "SAVEPOINT " + name + " does not exist");
    }
}
