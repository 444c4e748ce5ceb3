package org.quiredb.node.suites;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.util.diff.Delta;
import org.assertj.core.util.diff.DiffUtils;

/// Groups what differs by what it says, so that a table of few lines tells what to mend first.
final class Causes {
    private static final int COMPARED = 4_000;
    private static final int LONGEST = 20_000;

    /// As `mysqltest` tells that a statement failed, or did not though it should.
    private static final Pattern FAILED =
            Pattern.compile("At line \\d+: query '(.*?)(?:' failed|' succeeded|$)(.*)");

    private static final Pattern END =
            Pattern.compile("' (failed|succeeded)|^mysqltest: (?!At line \\d+: query|In included)");

    private static final Pattern WARNING = Pattern.compile("^(Warning|Note|Error)\t(\\d+)\t.*");

    private static final Pattern ERROR = Pattern.compile("^ERROR (\\S+): (.*)");
    private static final Pattern NUMBERED = Pattern.compile("\\((\\d{4})\\): (.*)");

    private Causes() {}

    /// Why a MariaDB alone does not pass.
    static String ofMariaDb(Run run) {
        if (run.skipped()) {
            return "skips itself";
        }
        if (run.late()) {
            return "takes too long";
        }
        return head(run).stream()
                .filter(line -> line.startsWith("mysqltest:"))
                .reduce((first, second) -> second)
                .map(Causes::kind)
                .orElse("fails");
    }

    static List<String> of(Run expected, Run actual) {
        Set<String> causes = new LinkedHashSet<>();
        List<String> theirs = head(expected);
        List<String> ours = head(actual);
        for (Delta<String> delta : DiffUtils.diff(theirs, ours).getDeltas()) {
            int at = delta.getRevised().getPosition();
            List<String> lines = delta.getRevised().getLines();
            boolean told = false;
            for (String line : lines) {
                String kind = ofLine(line);
                if (!kind.isEmpty()) {
                    causes.add(kind);
                    told = true;
                }
            }
            for (String line : delta.getOriginal().getLines()) {
                Matcher warning = WARNING.matcher(line);
                if (!told && warning.matches()) {
                    causes.add("misses %s %s".formatted(warning.group(1), warning.group(2)));
                    told = true;
                }
            }
            if (!told) {
                causes.add("answers differ: " + statementBefore(ours, at));
            }
        }
        if (actual.late()) {
            causes.add("takes too long");
        }
        if (causes.isEmpty()) {
            causes.add("ends otherwise, or differs far behind");
        }
        return List.copyOf(causes);
    }

    static List<String> shown(Run expected, Run actual, int most) {
        List<String> shown = new ArrayList<>();
        for (Delta<String> delta : DiffUtils.diff(head(expected), head(actual)).getDeltas()) {
            if (shown.size() >= most) {
                break;
            }
            shown.add("@ line " + delta.getOriginal().getPosition());
            delta.getOriginal().getLines().stream().limit(most).forEach(l -> shown.add("- " + l));
            delta.getRevised().getLines().stream().limit(most).forEach(l -> shown.add("+ " + l));
        }
        return shown;
    }

    private static String ofLine(String line) {
        Matcher failed = FAILED.matcher(line);
        if (failed.find()) {
            Matcher numbered = NUMBERED.matcher(failed.group(2));
            return numbered.find()
                    ? number(numbered.group(1), numbered.group(2), failed.group(1))
                    : kind(failed.group(2)) + ": " + words(failed.group(1));
        }
        Matcher warning = WARNING.matcher(line);
        if (warning.matches()) {
            return "has another %s %s".formatted(warning.group(1), warning.group(2));
        }
        Matcher error = ERROR.matcher(line);
        return error.find() ? "ERROR " + error.group(1) + " " + kind(error.group(2)) : "";
    }

    private static String number(String number, String text, String statement) {
        return number
                + " "
                + kind(text)
                + (text.contains("yet support") ? "" : ": " + words(statement));
    }

    /// The last statement that was echoed before both went apart.
    private static String statementBefore(List<String> ours, int at) {
        for (int i = Math.min(at, ours.size() - 1); i >= 0; i--) {
            if (ours.get(i)
                    .matches(
                            "(?i)(select|insert|update|delete|show|create|drop|alter|with|explain|describe|desc|set|call|execute|replace|analyze|check|optimize|truncate|load|prepare|flush|values|table|handler|lock|grant|\\().*")) {
                return words(ours.get(i));
            }
        }
        return "?";
    }

    /// The words that say what kind of statement it is.
    private static String words(String statement) {
        String[] all = statement.strip().toUpperCase(Locale.ROOT).split("[\\s(;`@=]+", -1);
        String first = all.length == 0 ? "" : all[0];
        boolean two =
                all.length > 1
                        && Set.of(
                                        "SHOW",
                                        "CREATE",
                                        "DROP",
                                        "ALTER",
                                        "SET",
                                        "LOCK",
                                        "FLUSH",
                                        "ANALYZE",
                                        "CHECK",
                                        "LOAD",
                                        "OPTIMIZE",
                                        "CHECKSUM",
                                        "REPAIR")
                                .contains(first);
        boolean three =
                two && all.length > 2 && Set.of("OR", "FULL", "GLOBAL", "SESSION").contains(all[1]);
        return first + (two ? " " + all[1] : "") + (three ? " " + all[2] : "");
    }

    /// A message without what is of this statement alone.
    static String kind(String message) {
        String kind =
                message.replaceAll("At line \\d+: ", "")
                        .replaceAll("query '.*' failed", "a query failed")
                        .replaceAll("'[^']*'", "'…'")
                        .replaceAll("`[^`]*`", "`…`")
                        .replaceAll("\"[^\"]*\"", "\"…\"")
                        .replaceAll("\\d+", "N");
        return kind.length() > 160 ? kind.substring(0, 160) : kind;
    }

    /// What is compared, with each complaint of `mysqltest` on one line, whatever lines the
    /// statement in it had.
    private static List<String> head(Run run) {
        List<String> lines = new ArrayList<>();
        StringBuilder complaint = new StringBuilder();
        for (String line : run.output()) {
            if (lines.size() == COMPARED) {
                break;
            }
            boolean begins = line.startsWith("mysqltest: ");
            if (!begins && complaint.isEmpty()) {
                lines.add(line);
                continue;
            }
            complaint.append(complaint.isEmpty() ? "" : " ").append(line);
            if (END.matcher(complaint).find() || complaint.length() > LONGEST) {
                lines.add(complaint.toString());
                complaint.setLength(0);
            }
        }
        if (!complaint.isEmpty()) {
            lines.add(complaint.toString());
        }
        return lines;
    }
}
