package org.quiredb.node.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.QuireException;
import org.quiredb.node.command.option.TierAddress;
import org.quiredb.node.config.ConfigException;
import org.quiredb.node.status.StatusClient;
import org.quiredb.node.terminal.Screen;
import org.quiredb.node.terminal.WaitingLine;
import org.quiredb.node.verify.TierVerification;
import org.quiredb.node.verify.Verification;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `quire verify`: whether all replicas and backends of a running tier hold the same rows.
@Command(
        name = "verify",
        description =
                "Compares every replica and backend of a running tier at one version, while updates"
                        + " go on.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:the same", "1:different", "2:could not be compared, wholly or in part"},
        mixinStandardHelpOptions = true)
public final class VerifyCommand implements Callable<Integer> {
    private static final int DIFFERENT = 1;
    private static final int NOT_COMPARED = 2;

    @Mixin private TierAddress tier = new TierAddress();

    @Option(names = "--json", description = "print the result as JSON")
    private boolean json;

    @Option(
            names = "--repair",
            description =
                    "put rows of backends that differ right, from a replica, and compare again")
    private boolean repair;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws JsonProcessingException {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        TierVerification result;
        try (StatusClient scheduler = tier.connect();
                WaitingLine _ =
                        WaitingLine.begin(
                                Screen.of(spec, json),
                                "comparing every replica with the backend")) {
            result =
                    repair
                            ? TierVerification.repaired(
                                    scheduler, found -> printRepairs(out, found))
                            : TierVerification.of(scheduler);
        } catch (QuireException | ConfigException e) {
            PrintWriter errors = spec.commandLine().getErr();
            errors.println("quire: " + e.getMessage());
            errors.flush();
            return NOT_COMPARED;
        }
        if (json) {
            out.println(
                    new ObjectMapper()
                            .enable(SerializationFeature.INDENT_OUTPUT)
                            .writeValueAsString(asJson(result)));
        } else {
            print(out, result);
        }
        out.flush();
        if (!result.verification().identical()) {
            return DIFFERENT;
        }
        return result.left().isEmpty() ? 0 : NOT_COMPARED;
    }

    private void printRepairs(PrintWriter out, Verification found) {
        if (!json) {
            found.differences().forEach(difference -> out.println("REPAIRED " + difference));
        }
    }

    private static void print(PrintWriter out, TierVerification result) {
        Verification verification = result.verification();
        int width =
                verification.compared().stream().mapToInt(t -> t.table().length()).max().orElse(0);
        verification
                .compared()
                .forEach(table ->
                        out.println(
                                ("%-" + Math.max(1, width) + "s  %,14d rows")
                                        .formatted(table.table(), table.rows())));
        verification.differences().forEach(difference -> out.println("DIFFERENT " + difference));
        result.left().forEach(node -> out.println("NOT COMPARED " + node));
        out.println(
                "%s and %s hold %s in %s"
                        .formatted(
                                count(verification.replicas(), "replica"),
                                count(verification.backends(), "backend"),
                                verification.identical()
                                        ? "the same %,d rows".formatted(verification.rows())
                                        : "DIFFERENT rows",
                                count(verification.tables(), "table")));
    }

    private static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    private static Map<String, Object> asJson(TierVerification result) {
        Verification verification = result.verification();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("identical", result.identical());
        json.put("replicas", verification.replicas());
        json.put("backends", verification.backends());
        json.put("rows", verification.rows());
        json.put("tables", verification.compared());
        json.put("differences", List.copyOf(verification.differences()));
        json.put("notCompared", result.left());
        return json;
    }
}
