package org.quiredb.replica.execution;

import java.util.Arrays;

/// Conditions on columns whose values are numbers of fixed width.
public final class Numbers {
    private Numbers() {}

    public static Condition isNull(Place place) {
        return at -> Condition.of(place.isNull(at));
    }

    public static Condition compare(Place place, Comparing how, long number) {
        return at ->
                place.isNull(at)
                        ? Condition.UNKNOWN
                        : Condition.of(how.holds(Long.compare(place.number(at), number)));
    }

    public static Condition compare(Place left, Comparing how, Place right) {
        return at ->
                left.isNull(at) || right.isNull(at)
                        ? Condition.UNKNOWN
                        : Condition.of(how.holds(Long.compare(left.number(at), right.number(at))));
    }

    /// @param withNull the list has NULL, too
    public static Condition in(Place place, long[] numbers, boolean withNull) {
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
