package org.quiredb.node.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.terminal.Screen;
import org.quiredb.tpcw.browser.Mix;
import org.quiredb.tpcw.run.Workload;
import org.quiredb.tpcw.run.WorkloadConfig;
import org.quiredb.tpcw.run.WorkloadResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `quire tpcw run`: one mix against one server or, side by side in turn, against several.
@Command(
        name = "run",
        description =
                "Runs emulated browsers against one or more servers and prints what they measured.",
        mixinStandardHelpOptions = true)
public final class TpcwRunCommand implements Callable<Integer> {
    @Option(
            names = "--url",
            description =
                    "JDBC URL; give it twice to compare two servers (default: ${DEFAULT-VALUE})",
            defaultValue = "jdbc:mysql://127.0.0.1:3307/tpcw")
    private List<String> urls = new ArrayList<>();

    @Option(names = "--user", description = "default: ${DEFAULT-VALUE}", defaultValue = "quire")
    private String user = "";

    @Option(names = "--password", description = "default: ${DEFAULT-VALUE}", defaultValue = "quire")
    private String password = "";

    @Option(
            names = "--seconds",
            description = "length of the measurement (default: ${DEFAULT-VALUE})",
            defaultValue = "60")
    private int seconds;

    @Mixin private Shoppers shoppers = new Shoppers();

    @Option(names = "--json", description = "also write the results to this file")
    private @Nullable Path json;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Screen screen = Screen.of(spec, false);
        for (String url : urls) {
            Reachable.require(url, user, password);
        }
        List<Map<String, Object>> reports = new ArrayList<>();
        List<WorkloadResult> results = new ArrayList<>();
        for (String url : urls) {
            WorkloadResult result = run(screen, url);
            results.add(result);
            Map<String, Object> report = WorkloadReport.of(result);
            report.put("url", url);
            reports.add(report);
            screen.end(String.join("\n", WorkloadReport.lines(url, result)));
            screen.say(String.join("\n", WorkloadReport.interactions(result)) + "\n");
        }
        if (results.size() == 2) {
            screen.say(
                    "ratio of WIPS, second to first: %.2f"
                            .formatted(results.get(1).wips() / results.get(0).wips()));
        }
        if (json != null) {
            WorkloadReport.write(json, reports.size() == 1 ? reports.getFirst() : reports);
        }
        return results.stream().allMatch(result -> result.errors() == 0) ? 0 : 1;
    }

    private WorkloadResult run(Screen screen, String url) throws Exception {
        WorkloadConfig config = shoppers.config(url, user, password, seconds);
        ShopPicture picture = Shoppers.picture(config);
        return Workload.run(
                config,
                progress -> {
                    picture.take(progress);
                    screen.show(picture.view(null));
                });
    }

    /// The load that emulated browsers put on a server.
    static final class Shoppers {
        @Option(
                names = "--mix",
                description = "browsing, shopping or ordering (default: ${DEFAULT-VALUE})",
                defaultValue = "shopping")
        private Mix mix = Mix.SHOPPING;

        @Option(
                names = "--browsers",
                description = "default: ${DEFAULT-VALUE}",
                defaultValue = "16")
        private int browsers;

        @Option(
                names = "--think-time",
                description =
                        "scale of the think times: 1 as specified, 0 none (default: ${DEFAULT-VALUE})",
                defaultValue = "0")
        private double thinkTime;

        @Option(names = "--seed", description = "default: ${DEFAULT-VALUE}", defaultValue = "1")
        private long seed;

        static ShopPicture picture(WorkloadConfig config) {
            return new ShopPicture(
                    config.mix(), config.browsers(), config.rampUpSeconds() + config.seconds());
        }

        long seed() {
            return seed;
        }

        WorkloadConfig config(String url, String user, String password, int seconds) {
            return new WorkloadConfig(
                    url,
                    user,
                    password,
                    mix,
                    browsers,
                    seconds,
                    Math.min(5, seconds),
                    thinkTime,
                    seed,
                    OptionalInt.empty(),
                    OptionalInt.empty());
        }
    }
}
