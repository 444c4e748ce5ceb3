package org.quiredb.tpcw.random;

import java.util.Locale;

/// TPC-W's DigSyl(D, N): a number written in syllables, one for each decimal digit (clause
/// 4.6.2.8).
///
/// User names, the keys in titles and the last names of authors are made of it, so that a driver
/// which knows a number can search for the text.
public final class DigSyl {

    /// Digits of the keys in titles and last names.
    private static final int KEY_DIGITS = 7;

    private static final String[] SYLLABLES = {
        "BA", "OG", "AL", "RI", "RE", "SE", "AT", "UL", "IN", "NG"
    };

    private DigSyl() {}

    /// The syllables of a number padded with zeros on the left to the given number of digits; 0
    /// means no padding.
    public static String of(int number, int digits) {
        String decimal = Integer.toString(number);
        var syllables = new StringBuilder();
        for (int missing = digits - decimal.length(); missing > 0; missing--) {
            syllables.append(SYLLABLES[0]);
        }
        for (int i = 0; i < decimal.length(); i++) {
            syllables.append(SYLLABLES[decimal.charAt(i) - '0']);
        }
        return syllables.toString();
    }

    /// The text that stands for a number in titles and last names: 14 characters.
    public static String key(int number) {
        return of(number, KEY_DIGITS);
    }

    /// The user name of a customer.
    public static String userName(int customer) {
        return of(customer, 0);
    }

    /// The password of a customer: the user name in lower case.
    public static String password(int customer) {
        return userName(customer).toLowerCase(Locale.ROOT);
    }
}
