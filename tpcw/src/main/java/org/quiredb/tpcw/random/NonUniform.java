package org.quiredb.tpcw.random;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// TPC-W's NURand(A, x, y): ((random in 0..A) | (random in x..y)) mod (y - x + 1) + x (clause
/// 2.1.13; it is not TPC-C's form). Numbers with many one bits come out more often.
public final class NonUniform {

    private static final NavigableMap<Integer, Integer> A_BY_CUSTOMERS =
            new TreeMap<>(
                    Map.of(
                            0, 1023,
                            10_000, 4095,
                            40_000, 16_383,
                            160_000, 65_535,
                            640_000, 262_143,
                            2_560_000, 1_048_575,
                            10_240_000, 4_194_303,
                            40_960_000, 16_777_215,
                            163_840_000, 67_108_863));

    private static final NavigableMap<Integer, Integer> A_BY_ITEMS =
            new TreeMap<>(
                    Map.of(
                            0, 63,
                            10_000, 511,
                            100_000, 4095,
                            1_000_000, 32_767,
                            10_000_000, 524_287));

    private NonUniform() {}

    /// A customer id, by clause 2.3.2.
    public static int customer(TpcwRandom draw, int customers) {
        return draw(draw, A_BY_CUSTOMERS.floorEntry(customers).getValue(), 1, customers);
    }

    /// The number behind an author search string, by clause 2.10.5.1.
    public static int authorKey(TpcwRandom draw, int items) {
        return draw(draw, A_BY_ITEMS.floorEntry(items).getValue(), 1, authorKeys(items));
    }

    /// The number behind a title search string, by clause 2.10.5.1.
    public static int titleKey(TpcwRandom draw, int items) {
        return draw(draw, A_BY_ITEMS.floorEntry(items).getValue(), 1, titleKeys(items));
    }

    /// How many different keys stand in the last names of authors.
    public static int authorKeys(int items) {
        return Math.max(1, items / 10);
    }

    /// How many different keys stand in titles.
    public static int titleKeys(int items) {
        return Math.max(1, items / 5);
    }

    static int draw(TpcwRandom draw, int a, int x, int y) {
        return (draw.between(0, a) | draw.between(x, y)) % (y - x + 1) + x;
    }
}
