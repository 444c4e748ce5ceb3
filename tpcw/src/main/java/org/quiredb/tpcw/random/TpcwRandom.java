package org.quiredb.tpcw.random;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.SplittableRandom;

/// A seeded source of the random values that TPC-W asks for.
///
/// Threads: one owner.
public final class TpcwRandom {

    /// 64 symbols, so that six random bits make one; none needs an escape in SQL or means anything
    /// to LIKE.
    private static final char[] SYMBOLS =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,;:!?()+-=*".toCharArray();

    private static final int BITS_PER_SYMBOL = 6;
    private static final int SYMBOLS_PER_LONG = Long.SIZE / BITS_PER_SYMBOL;
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private final SplittableRandom random;

    private TpcwRandom(long seed) {
        random = new SplittableRandom(seed);
    }

    /// A draw for one part of the work: the path (say table and chunk, or browser) picks an
    /// independent stream of the seed.
    public static TpcwRandom seeded(long seed, long... path) {
        long mixed = mix(seed);
        for (long step : path) {
            mixed = mix(mixed + step);
        }
        return new TpcwRandom(mixed);
    }

    private static long mix(long value) {
        long z = value + GOLDEN_RATIO;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /// Uniform, both ends included.
    public int between(int low, int high) {
        return random.nextInt(low, high + 1);
    }

    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    public <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /// TPC-W's a-string: random length in the range, letters and punctuation.
    public String text(int minLength, int maxLength) {
        char[] chars = new char[between(minLength, maxLength)];
        long bits = 0;
        for (int i = 0; i < chars.length; i++) {
            if (i % SYMBOLS_PER_LONG == 0) {
                bits = random.nextLong();
            }
            chars[i] = SYMBOLS[(int) (bits & 0x3F)];
            bits >>>= BITS_PER_SYMBOL;
        }
        return new String(chars);
    }

    /// TPC-W's n-string: random length in the range, digits.
    public String digits(int minLength, int maxLength) {
        char[] chars = new char[between(minLength, maxLength)];
        for (int i = 0; i < chars.length; i++) {
            chars[i] = (char) ('0' + random.nextInt(10));
        }
        return new String(chars);
    }

    /// A decimal with two places, uniform between two amounts of hundredths.
    public BigDecimal hundredths(int low, int high) {
        return BigDecimal.valueOf(between(low, high), 2);
    }

    public LocalDate date(LocalDate first, LocalDate last) {
        return LocalDate.ofEpochDay(random.nextLong(first.toEpochDay(), last.toEpochDay() + 1));
    }

    /// Negative exponential with the given mean, cut at the cap.
    public double exponential(double mean, double cap) {
        return Math.min(cap, -Math.log(1 - random.nextDouble()) * mean);
    }
}
