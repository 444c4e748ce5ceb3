package org.quiredb.scheduler.account;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Patterns of hosts and databases as MySQL's grant tables have them: `%` is anything, `_` one
/// character, a backslash takes the next one as it is.
public final class Wildcards {
    private static final int LITERAL = 128;
    private static final Pattern IPV4 =
            Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");

    private Wildcards() {}

    /// The rank of a pattern among others: what is said before the first wildcard counts.
    static int specificity(String pattern) {
        for (int at = 0; at < pattern.length(); at++) {
            char c = pattern.charAt(at);
            if (c == '\\') {
                at++;
            } else if (c == '%' || c == '_') {
                return Math.min(at + 1, LITERAL - 1);
            }
        }
        return pattern.isEmpty() ? 0 : LITERAL;
    }

    /// Of columns: without cases, and all of them where there is no pattern.
    public static boolean matchesName(String pattern, String name) {
        return pattern.isEmpty()
                || matches(pattern.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
    }

    static boolean matches(String pattern, String text) {
        int at = 0;
        int in = 0;
        int star = -1;
        int resume = -1;
        while (in < text.length()) {
            char c = at < pattern.length() ? pattern.charAt(at) : 0;
            if (c == '%') {
                star = ++at;
                resume = in;
            } else if (at < pattern.length() && c == '_') {
                at++;
                in++;
            } else if (at < pattern.length() && literal(pattern, at) == text.charAt(in)) {
                at += c == '\\' && at + 1 < pattern.length() ? 2 : 1;
                in++;
            } else if (star >= 0) {
                at = star;
                in = ++resume;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == '%') {
            at++;
        }
        return at == pattern.length();
    }

    private static char literal(String pattern, int at) {
        boolean escaped = pattern.charAt(at) == '\\' && at + 1 < pattern.length();
        return pattern.charAt(escaped ? at + 1 : at);
    }

    /// Whether a client at this address is of the hosts: a pattern of the address, or an address
    /// and a mask. Names of hosts are none, but for that of this machine.
    static boolean matchesHost(String hosts, String address, boolean resolvesNames) {
        String pattern = hosts.isEmpty() ? "%" : hosts;
        if (pattern.indexOf('/') > 0) {
            return inNetwork(pattern, address);
        }
        boolean here = address.startsWith("127.") || address.equals("0:0:0:0:0:0:0:1");
        if (resolvesNames && here && matches(pattern.toLowerCase(Locale.ROOT), "localhost")) {
            return true;
        }
        return matches(pattern, address);
    }

    private static boolean inNetwork(String network, String address) {
        int slash = network.indexOf('/');
        long base = ipv4(network.substring(0, slash));
        String size = network.substring(slash + 1);
        long mask =
                size.indexOf('.') > 0
                        ? ipv4(size)
                        : size.matches("[0-9]{1,2}")
                                ? ~0L << (32 - Math.min(32, Integer.parseInt(size))) & 0xFFFF_FFFFL
                                : -1;
        long client = ipv4(address);
        return base >= 0 && mask >= 0 && client >= 0 && (client & mask) == base;
    }

    /// -1 when it is none.
    private static long ipv4(String address) {
        Matcher parts = IPV4.matcher(address);
        if (!parts.matches()) {
            return -1;
        }
        long value = 0;
        for (int i = 1; i <= 4; i++) {
            value = value << 8 | Integer.parseInt(parts.group(i));
        }
        return value;
    }
}
