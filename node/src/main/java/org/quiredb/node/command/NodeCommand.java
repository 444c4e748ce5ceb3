package org.quiredb.node.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.config.ConfigFile;
import org.quiredb.node.config.ProcessConfig;
import org.quiredb.node.process.NodeProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `quire node`: the roles of one configuration, until a signal ends them.
@Command(
        name = "node",
        description =
                "Runs one process with the roles of a YAML file (docs/configuration.md) until it is stopped.",
        mixinStandardHelpOptions = true)
public final class NodeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(NodeCommand.class);

    @Parameters(paramLabel = "CONFIG.yaml", description = "what to run")
    private Path file = Path.of("");

    @Option(
            names = "--while-stdin-open",
            description = "end too when standard input ends: when its writer is gone")
    private boolean whileStdinOpen;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out =
                spec == null
                        ? new PrintWriter(System.out, true, System.out.charset())
                        : spec.commandLine().getOut();
        ProcessConfig config = ConfigFile.read(file);
        NodeProcess process = new NodeProcess(config);
        Thread stop = new Thread(() -> stop(process), "stop");
        Runtime.getRuntime().addShutdownHook(stop);
        if (whileStdinOpen) {
            Thread.ofVirtual().name("stdin").start(() -> exitAtEnd(System.in));
        }
        process.start();
        out.println(config.title() + " serves at " + ports(config));
        out.flush();
        new CountDownLatch(1).await();
        return 0;
    }

    private static void stop(NodeProcess process) {
        try {
            process.close();
        } catch (RuntimeException e) {
            LOG.warn("{} did not stop cleanly", process.config().title(), e);
        }
    }

    private static void exitAtEnd(InputStream input) {
        try {
            while (input.read() >= 0) {
                // What is written does not matter.
            }
        } catch (IOException e) {
            LOG.debug("standard input is gone", e);
        }
        System.exit(0);
    }

    private static String ports(ProcessConfig config) {
        return config.ports().stream()
                .map(port -> port.key() + " " + port.port())
                .collect(Collectors.joining(", "));
    }
}
