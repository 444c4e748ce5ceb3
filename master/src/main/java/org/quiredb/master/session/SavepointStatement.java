package org.quiredb.master.session;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// SAVEPOINT, ROLLBACK TO and RELEASE SAVEPOINT, in normalised text.
///
/// @param name in lower case: savepoints are the same whatever their case
record SavepointStatement(Kind kind, String name) {
    private static final Pattern FORM =
            Pattern.compile(
                    "(?:(?<set>SAVEPOINT)|(?<back>ROLLBACK(?: WORK)? TO(?: SAVEPOINT)?)|RELEASE SAVEPOINT)"
                            + " ?(?:`(?<quoted>(?:[^`]|``)+)`|(?<plain>[^ `]+))",
                    Pattern.CASE_INSENSITIVE);

    enum Kind {
        SET,
        ROLL_BACK_TO,
        RELEASE
    }

    static Optional<SavepointStatement> of(String sql) {
        Matcher matcher = FORM.matcher(sql);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Kind kind =
                matcher.group("set") != null
                        ? Kind.SET
                        : matcher.group("back") != null ? Kind.ROLL_BACK_TO : Kind.RELEASE;
        String quoted = matcher.group("quoted");
        String name = quoted == null ? matcher.group("plain") : quoted.replace("``", "`");
        return Optional.of(new SavepointStatement(kind, name.toLowerCase(Locale.ROOT)));
    }
}
