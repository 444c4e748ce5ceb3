package org.quiredb.node.command;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.quiredb.node.command.option.ServerLogin;
import org.quiredb.node.terminal.ProgressLine;
import org.quiredb.node.terminal.Screen;
import org.quiredb.tpcw.population.Population;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `quire tpcw populate`.
@Command(
        name = "populate",
        description =
                "Creates the bookstore's tables and fills them; an existing bookstore is replaced.",
        mixinStandardHelpOptions = true)
public final class TpcwPopulateCommand implements Callable<Integer> {
    @Mixin private ServerLogin account = new ServerLogin();

    @Option(
            names = "--items",
            description = "books (default: ${DEFAULT-VALUE})",
            defaultValue = "10000")
    private int items;

    @Option(
            names = "--customers",
            description = "default: ${DEFAULT-VALUE}",
            defaultValue = "28800")
    private int customers;

    @Option(names = "--seed", description = "default: ${DEFAULT-VALUE}", defaultValue = "1")
    private long seed;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Reachable.require(account.creatingUrl(), account.user, account.password);
        long start = System.nanoTime();
        Screen screen = Screen.of(spec, false);
        ProgressLine progress = new ProgressLine("filling the bookstore", "rows");
        Population.populate(
                account.creatingUrl(),
                account.user,
                account.password,
                items,
                customers,
                seed,
                (step, rows, total) ->
                        screen.show(progress.at(step.equals("rows") ? "" : step, rows, total)));
        screen.end(
                "populated %,d items and %,d customers in %.1f s"
                        .formatted(items, customers, (System.nanoTime() - start) / 1e9));
        return 0;
    }
}
