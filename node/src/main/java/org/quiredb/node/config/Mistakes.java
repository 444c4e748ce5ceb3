package org.quiredb.node.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Says in one sentence what is wrong with a file, in the words of the file.
final class Mistakes {
    private static final Pattern MISSING =
            Pattern.compile("Missing required creator property '(\\w+)'");

    private Mistakes() {}

    /// Where it is; empty when it is the whole section that does not fit.
    static String line(JsonProcessingException mistake) {
        boolean section =
                switch (mistake) {
                    case ValueInstantiationException refused ->
                            refused.getType().getRawClass() != HostPort.class;
                    case MismatchedInputException mismatch ->
                            MISSING.matcher(mismatch.getOriginalMessage()).find();
                    default -> false;
                };
        return section || mistake.getLocation() == null
                ? ""
                : " line " + mistake.getLocation().getLineNr();
    }

    static String describe(JsonProcessingException mistake) {
        return switch (mistake) {
            case InvalidFormatException wrong ->
                    "%s: '%s' is not %s"
                            .formatted(key(wrong), wrong.getValue(), kind(wrong.getTargetType()));
            case MismatchedInputException mismatch -> mismatch(mismatch);
            default -> rootMessage(mistake);
        };
    }

    private static String mismatch(MismatchedInputException mismatch) {
        Matcher missing = MISSING.matcher(String.valueOf(mismatch.getOriginalMessage()));
        if (missing.find()) {
            return "missing key " + key(mismatch);
        }
        String key = key(mismatch);
        return "%s must be %s"
                .formatted(key.isEmpty() ? "the file" : key, kind(mismatch.getTargetType()));
    }

    private static String key(JsonMappingException mistake) {
        String path =
                mistake.getPath().stream()
                        .map(step ->
                                step.getFieldName() == null
                                        ? "[" + step.getIndex() + "]"
                                        : "." + step.getFieldName())
                        .collect(Collectors.joining());
        return path.startsWith(".") ? path.substring(1) : path;
    }

    private static String kind(@Nullable Class<?> type) {
        if (type == null) {
            return "of another type";
        }
        if (type == int.class || type == long.class) {
            return "a whole number";
        }
        if (type.isEnum()) {
            return Stream.of(type.getEnumConstants())
                    .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(", ", "one of ", ""));
        }
        if (type == HostPort.class) {
            return "host:port";
        }
        if (type.isRecord()) {
            return "a section with keys of its own";
        }
        return Iterable.class.isAssignableFrom(type) ? "a list" : "a text";
    }

    private static String rootMessage(Throwable mistake) {
        Throwable root = mistake;
        for (Throwable cause = root.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof IllegalArgumentException || cause instanceof ConfigException) {
                return firstLine(cause.getMessage());
            }
        }
        return firstLine(
                mistake instanceof JsonProcessingException json
                        ? json.getOriginalMessage()
                        : root.getMessage());
    }

    private static String firstLine(@Nullable String message) {
        return String.valueOf(message).lines().findFirst().orElse("cannot be read");
    }
}
