package org.quiredb.replica.planning;

import java.util.Arrays;
import org.quiredb.replica.execution.Condition;
import org.quiredb.replica.execution.Place;

/// Conditions on columns whose values are numbers of fixed width.
final class Numbers {
    private Numbers() {}

    static Condition isNull(Place place) {
        return at -> Condition.of(place.isNull(at));
    }

    static Condition compare(Place place, Comparing how, long number) {
        return at ->
                place.isNull(at)
                        ? Condition.UNKNOWN
                        : Condition.of(how.holds(Long.compare(place.number(at), number)));
    }

    static Condition compare(Place left, Comparing how, Place right) {
        return at ->
                left.isNull(at) || right.isNull(at)
                        ? Condition.UNKNOWN
                        : Condition.of(how.holds(Long.compare(left.number(at), right.number(at))));
    }

    /// @param withNull the list has NULL, too
    static Condition in(Place place, long[] numbers, boolean withNull) {
        long[] sorted = numbers.clone();
        Arrays.sort(sorted);
        return at -> {
            if (place.isNull(at)) {
                return Condition.UNKNOWN;
            }
            return Arrays.binarySearch(sorted, place.number(at)) >= 0
                    ? Condition.TRUE
                    : withNull ? Condition.UNKNOWN : Condition.FALSE;
        };
    }
}
