package org.quiredb.node.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.net.URI;
import java.time.ZoneId;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.top.ConsoleLink;
import org.quiredb.node.top.Top;
import org.quiredb.node.top.TopView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `quire top`: a tier's figures at a terminal, each second anew.
@Command(
        name = "top",
        description = {
            "Shows a running tier's figures at a terminal, each second anew.",
            "Where there is no terminal it prints them once. It asks a scheduler's console (docs/console.md)."
        },
        mixinStandardHelpOptions = true)
public final class TopCommand implements Callable<Integer> {
    @Option(
            names = "--console",
            paramLabel = "URL",
            description = "as quire status prints it (default: ${DEFAULT-VALUE})",
            defaultValue = "http://127.0.0.1:3380/")
    private URI console = URI.create("http://127.0.0.1:3380/");

    @Option(
            names = "--user",
            description =
                    "whom the console lets in, if it asks; the password is the environment's QUIRE_CONSOLE_PASSWORD")
    private @Nullable String user;

    @Option(names = "--once", description = "print it once, as lines")
    private boolean once;

    @Option(names = "--json", description = "print it once, as JSON")
    private boolean json;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        String password = Objects.requireNonNullElse(System.getenv("QUIRE_CONSOLE_PASSWORD"), "");
        try (ConsoleLink link = new ConsoleLink(console, user, password)) {
            TopView view = new TopView(ZoneId.systemDefault());
            if (json) {
                out.println(link.state().toPrettyString());
            } else if (once || !Objects.requireNonNull(System.console()).isTerminal()) {
                JsonNode state = link.state();
                view.plain(state).forEach(out::println);
            } else {
                Top.run(link, view, out, System.in);
            }
        }
        out.flush();
        return 0;
    }
}
