package org.quiredb.replica.planning;

import java.util.Arrays;
import org.quiredb.replica.execution.Place;
import org.quiredb.replica.execution.SearchCondition;

/// Conditions on columns whose values are numbers of fixed width.
final class Numbers {
    private Numbers() {}

    static SearchCondition isNull(Place place) {
        return at -> SearchCondition.of(place.isNull(at));
    }

    static SearchCondition compare(Place place, Comparing how, long number) {
        return at ->
                place.isNull(at)
                        ? SearchCondition.UNKNOWN
                        : SearchCondition.of(how.holds(Long.compare(place.number(at), number)));
    }

    static SearchCondition compare(Place left, Comparing how, Place right) {
        return at ->
                left.isNull(at) || right.isNull(at)
                        ? SearchCondition.UNKNOWN
                        : SearchCondition.of(
                                how.holds(Long.compare(left.number(at), right.number(at))));
    }

    /// @param withNull the list has NULL, too
    static SearchCondition in(Place place, long[] numbers, boolean withNull) {
        long[] sorted = numbers.clone();
        Arrays.sort(sorted);
        return at -> {
            if (place.isNull(at)) {
                return SearchCondition.UNKNOWN;
            }
            return Arrays.binarySearch(sorted, place.number(at)) >= 0
                    ? SearchCondition.TRUE
                    : withNull ? SearchCondition.UNKNOWN : SearchCondition.FALSE;
        };
    }
}
