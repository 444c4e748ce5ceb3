package org.quiredb.replica.h2.function;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.h2.value.Value;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.lifecycle.StopSignal;
import org.quiredb.replica.binding.Declarations;
import org.quiredb.replica.engine.Errors;
import org.quiredb.replica.h2.conversion.MySqlTexts;
import org.quiredb.replica.layout.SingleByteSets;

/// REGEXP, for those patterns that Java reads as the servers' libraries (PCRE, ICU) do.
///
/// Others are left out: escaped letters, named classes, groups with a question mark, classes within
/// classes, and what is not ASCII where cases do not count, because the libraries fold some letters
/// in their own ways.
///
/// Threads: any.
public final class RegularExpressions {
    private static final int LONGEST_PATTERN = 1000;

    /// A match that looks at more characters has gone astray; PCRE gives up then, too.
    private static final int MOST_LOOKS = 10_000_000;

    private static final int LOOKS_BETWEEN_CHECKS = 1 << 16;

    private static final Pattern COMMON =
            Pattern.compile(
                    "(?:[^\\\\\\[\\](){}|*+?]|\\\\[^a-zA-Z0-9\\s]|\\((?!\\?)|[)|]|[*+?]|\\{\\d{1,3}(?:,\\d{0,3})?}"
                            + "|\\[\\^?[^\\[\\]\\\\^&~-](?:[^\\[\\]\\\\&~])*+])++");

    private RegularExpressions() {}

    static List<String> declarations() {
        return Declarations.of(RegularExpressions.class, "regexpInstr");
    }

    /// The place of the first match, in characters from 1 on; 0 for none.
    public static @Nullable Long regexpInstr(Value text, Value pattern) {
        if (TextFunctions.anyNull(text, pattern)) {
            return null;
        }
        boolean folds = TextFunctions.collation(text, pattern).ignoresCase();
        String searched = MySqlTexts.of(text);
        String wanted = MySqlTexts.of(pattern);
        boolean plain =
                !folds || (SingleByteSets.isAscii(searched) && SingleByteSets.isAscii(wanted));
        if (!plain
                || wanted.isEmpty()
                || wanted.length() > LONGEST_PATTERN
                || !COMMON.matcher(wanted).matches()) {
            throw Errors.unsupported("this pattern of REGEXP");
        }
        try {
            Matcher matcher =
                    Pattern.compile(
                                    wanted,
                                    Pattern.UNIX_LINES | (folds ? Pattern.CASE_INSENSITIVE : 0))
                            .matcher(new Watched(searched));
            return matcher.find() ? 1L + searched.codePointCount(0, matcher.start()) : 0L;
        } catch (PatternSyntaxException | StackOverflowError e) {
            throw Errors.unsupported("this pattern of REGEXP");
        }
    }

    /// A text that is not looked at for ever.
    private static final class Watched implements CharSequence {
        private final String text;
        private int looks;

        Watched(String text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (++looks % LOOKS_BETWEEN_CHECKS == 0) {
                StopSignal.current().check();
                if (looks > MOST_LOOKS) {
                    throw Errors.unsupported("a match of REGEXP that takes so long");
                }
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
