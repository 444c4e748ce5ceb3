package org.quiredb.node.command;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.coldstart.ColdStart;
import org.quiredb.node.coldstart.ColdStartLab;
import org.quiredb.node.command.option.LogOptions;
import org.quiredb.node.terminal.Screen;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `quire lab coldstart`: starts tiers of every layout in any order, and after power cuts.
@Command(
        name = "coldstart",
        description =
                "Starts tiers of all layouts whose processes begin in random order, with nothing there yet or after a power cut amid load, one host missing for good; exits with 1 when one does not serve within 60 seconds, or has lost anything.",
        mixinStandardHelpOptions = true)
public final class LabColdStartCommand implements Callable<Integer> {
    private static final int MAXIMUM_TIMES = 1_000;

    @Option(
            names = "--times",
            description = "how many starts, one after another (default: ${DEFAULT-VALUE})",
            defaultValue = "10")
    private int times;

    @Option(names = "--seed", description = "what is drawn; said at the beginning")
    private @Nullable Long seed;

    @Option(
            names = "--data",
            description = "folder of the databases and of the logs (default: ${DEFAULT-VALUE})",
            defaultValue = "quire-coldstart")
    private Path data = Path.of("quire-coldstart");

    @Option(
            names = "--processes-memory",
            paramLabel = "MB",
            description = "heaps of all processes together (default: ${DEFAULT-VALUE})",
            defaultValue = "2000")
    private long processesMemory;

    @Option(names = "--json", description = "write the results to this file")
    private @Nullable Path json;

    @Mixin private LogOptions log = new LogOptions();

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (times < 1 || times > MAXIMUM_TIMES) {
            throw new IllegalArgumentException(
                    "--times must be between 1 and %d, not %d".formatted(MAXIMUM_TIMES, times));
        }
        Screen out = log.screen(spec);
        log.toFile(data);
        long drawn = seed != null ? seed : RandomGenerator.getDefault().nextInt(1_000_000);
        out.say("%d cold starts, seed %d, logs in %s".formatted(times, drawn, data));
        List<ColdStart> starts =
                new ColdStartLab(data.toAbsolutePath(), processesMemory, drawn, out::say)
                        .run(times);
        long good = starts.stream().filter(ColdStart::good).count();
        out.say("%d of %d serve".formatted(good, starts.size()));
        if (json != null) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("seed", drawn);
            report.put("good", good);
            report.put("starts", starts.stream().map(ColdStart::json).toList());
            WorkloadReport.write(json, report);
        }
        return good == starts.size() ? 0 : 1;
    }
}
