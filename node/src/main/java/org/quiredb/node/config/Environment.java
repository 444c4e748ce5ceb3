package org.quiredb.node.config;

import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Expands `${NAME}` and `${NAME:-default}` in a value.
final class Environment {
    private static final Pattern VARIABLE =
            Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?}");

    private final Function<String, @Nullable String> variables;

    Environment(Function<String, @Nullable String> variables) {
        this.variables = variables;
    }

    /// @throws ConfigException when a variable is not set and has no default
    String expand(String text) {
        return text.contains("${")
                ? VARIABLE.matcher(text)
                        .replaceAll(found ->
                                Matcher.quoteReplacement(value(found.group(1), found.group(2))))
                : text;
    }

    /// As in a shell, an empty variable counts as not set where there is a default.
    private String value(String name, @Nullable String otherwise) {
        String value = variables.apply(name);
        if (otherwise != null && (value == null || value.isEmpty())) {
            return otherwise;
        }
        if (value == null) {
            throw new ConfigException(
                    "environment variable %s is not set; set it or write ${%s:-default}"
                            .formatted(name, name));
        }
        return value;
    }
}
