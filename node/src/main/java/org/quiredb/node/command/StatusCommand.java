package org.quiredb.node.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.command.option.TierAddress;
import org.quiredb.node.status.StatusClient;
import org.quiredb.node.status.TierStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `quire status`: the nodes of a running tier and how far each is.
@Command(
        name = "status",
        description = "Shows the nodes of a running tier and how far each is.",
        mixinStandardHelpOptions = true)
public final class StatusCommand implements Callable<Integer> {
    @Mixin private TierAddress tier = new TierAddress();

    @Option(names = "--json", description = "print it as JSON")
    private boolean json;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws JsonProcessingException {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        TierStatus status;
        try (StatusClient scheduler = tier.connect()) {
            status = TierStatus.of(scheduler.cluster());
        }
        if (json) {
            out.println(
                    new ObjectMapper()
                            .enable(SerializationFeature.INDENT_OUTPUT)
                            .writeValueAsString(status.asJson()));
        } else {
            status.print(out);
        }
        out.flush();
        return 0;
    }
}
