package org.quiredb.node.hostile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Statements of applications and of H2's grammar, and what becomes of them when they are bent.
///
/// Threads: each client has its own; the texts are shared.
final class Statements {
    private static final List<String> CORPORA =
            List.of(
                    "hostile/applications.sql",
                    "hostile/grammar.sql",
                    "clients/statements.sql",
                    "clients/schema.sql",
                    "clients/ansi.sql",
                    "clients/checks.sql",
                    "clients/duplicates.sql",
                    "clients/encoded.sql",
                    "clients/evaluated.sql",
                    "clients/geometries.sql",
                    "clients/lenient.sql",
                    "clients/locked.sql",
                    "clients/modes.sql",
                    "clients/overlaid.sql",
                    "clients/procedures.sql",
                    "clients/procedures-changing.sql",
                    "clients/session.sql",
                    "clients/temporary.sql",
                    "clients/triggers.sql",
                    "clients/updates.sql",
                    "clients/zeroes.sql",
                    "clients/zoned.sql",
                    "sql/statements.sql",
                    "sql/functions.sql",
                    "sql/types.sql");
    static final Pattern WORDS = Pattern.compile("\\s+|'[^']*'|`[^`]*`|\\w+|.", Pattern.DOTALL);
    private static final Pattern SCHEMA =
            Pattern.compile(
                    "\\s*(CREATE|ALTER|DROP|RENAME|TRUNCATE|OPTIMIZE|ANALYZE|REPAIR|FLUSH)\\b.*",
                    Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /// A statement may end its own session and statement, but not those that are watched.
    private static final Pattern NEVER = Pattern.compile("\\bKILL\\b", Pattern.CASE_INSENSITIVE);

    private static final List<String> NASTY =
            List.of(
                    "NULL",
                    "0",
                    "-1",
                    "9223372036854775808",
                    "1e308",
                    "-0e0",
                    "''",
                    "'\\0'",
                    "x'e9'",
                    "'😀'",
                    "_latin1'é'",
                    "DEFAULT",
                    "?",
                    "@@version",
                    "@x",
                    "(SELECT 1)",
                    "(SELECT v FROM t)",
                    "t.*",
                    "*",
                    "--",
                    "/*",
                    "*/",
                    "/*!50000 x */",
                    "/*M! 1 */",
                    "#",
                    ";",
                    "::INT",
                    "PUBLIC.",
                    "\"",
                    "`",
                    "'",
                    "\\",
                    "$$",
                    "{ts '2024-01-01'}",
                    "INTERVAL 1 DAY",
                    "BINARY",
                    "COLLATE utf8mb4_bin",
                    "IGNORE",
                    "INTO @x",
                    "FOR UPDATE",
                    "UNION SELECT 1",
                    "LIMIT 18446744073709551615",
                    "PROCEDURE ANALYSE()",
                    "RETURNING *",
                    "QUIRE_MOD(1, 2)",
                    "FILE_READ('{secret}')",
                    "FILE_WRITE('x', '{escape}')",
                    "CSVWRITE('{escape}', 'SELECT 1')",
                    "LOAD_FILE('{secret}')",
                    "INTO OUTFILE '{escape}'");

    private final Random random;
    private final List<String> plain;
    private final List<String> schema;
    private final List<String> all;

    private Statements(Random random, List<String> plain, List<String> schema) {
        this.random = random;
        this.plain = plain;
        this.schema = schema;
        all = new ArrayList<>(plain);
        all.addAll(schema);
    }

    /// @param places what `{secret}`, `{escape}` and `{folder}` stand for
    static Statements read(Places places) throws IOException {
        List<String> plain = new ArrayList<>();
        List<String> schema = new ArrayList<>();
        for (String corpus : CORPORA) {
            String name = "/org/quiredb/node/" + corpus;
            try (InputStream in =
                    Objects.requireNonNull(Statements.class.getResourceAsStream(name), name)) {
                new String(in.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> !line.isBlank() && !line.startsWith("#"))
                        .map(line -> line.replaceFirst("^LOAD (?!DATA|XML)", ""))
                        .map(line -> line.replace("{long}", "x".repeat(9_000)))
                        .map(places::in)
                        .map(line -> line.replaceAll("\\{(\\w+)}", "$1"))
                        .filter(line -> !NEVER.matcher(line).find())
                        .forEach(line ->
                                (SCHEMA.matcher(line).matches() ? schema : plain).add(line));
            }
        }
        return new Statements(new Random(0), plain, schema);
    }

    Statements with(Random seeded) {
        return new Statements(seeded, plain, schema);
    }

    /// Few that change definitions: each is a barrier for everybody.
    String next(Places places) {
        String sql = pick(random.nextInt(40) == 0 ? schema : plain);
        for (int i = random.nextInt(4); i > 0; i--) {
            sql = bend(sql);
        }
        String placed = places.in(sql);
        return NEVER.matcher(placed).find() ? "SELECT 1" : placed;
    }

    private String bend(String sql) {
        List<String> words = words(sql);
        int at = random.nextInt(words.size());
        int other = random.nextInt(words.size());
        switch (random.nextInt(16)) {
            case 0 -> words.remove(at);
            case 1 -> words.add(at, words.get(other));
            case 2 -> words.set(at, words.get(other));
            case 3, 4 -> words.set(at, pick(NASTY));
            case 5 -> words.add(at, " " + pick(NASTY) + " ");
            case 6 -> words.set(at, "(" + words.get(at) + ")");
            case 7 -> words.subList(Math.min(at, other), Math.max(at, other)).clear();
            case 8 -> {
                List<String> from = words(pick(all));
                int begin = random.nextInt(from.size());
                int end = Math.min(from.size(), begin + 1 + random.nextInt(8));
                words.addAll(at, from.subList(begin, end));
            }
            case 9 -> {
                List<String> from = words(pick(all));
                List<String> joined = new ArrayList<>(words.subList(0, at));
                joined.addAll(from.subList(random.nextInt(from.size()), from.size()));
                words = joined;
            }
            case 10 -> {
                return sql.substring(0, random.nextInt(sql.length() + 1));
            }
            case 11 -> {
                StringBuilder text = new StringBuilder(sql);
                if (!text.isEmpty()) {
                    text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(0x180));
                }
                return text.toString();
            }
            case 12 -> {
                String word = words.get(at);
                String upper = word.toUpperCase(Locale.ROOT);
                words.set(at, word.equals(upper) ? word.toLowerCase(Locale.ROOT) : upper);
            }
            case 13 -> words.set(at, word(words.get(at)));
            case 14 -> words.set(at, "/**/" + words.get(at) + " -- \n");
            default -> {
                int times = 1 << random.nextInt(12);
                words.set(
                        at,
                        words.get(at)
                                .repeat(Math.min(times, 20_000 / (1 + words.get(at).length()))));
            }
        }
        return String.join("", words);
    }

    /// Another name or literal of the same look.
    private String word(String word) {
        List<String> others = words(pick(all));
        for (int i = 0; i < others.size(); i++) {
            String other = others.get(random.nextInt(others.size()));
            if (!other.isBlank() && !word.isBlank() && same(word.charAt(0), other.charAt(0))) {
                return other;
            }
        }
        return word;
    }

    private static boolean same(char a, char b) {
        return (Character.isLetter(a) && Character.isLetter(b))
                || (Character.isDigit(a) && Character.isDigit(b))
                || a == b;
    }

    private static List<String> words(String sql) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORDS.matcher(sql);
        while (matcher.find()) {
            words.add(matcher.group());
        }
        if (words.isEmpty()) {
            words.add("SELECT");
        }
        return words;
    }

    private String pick(List<String> list) {
        return list.get(random.nextInt(list.size()));
    }
}
