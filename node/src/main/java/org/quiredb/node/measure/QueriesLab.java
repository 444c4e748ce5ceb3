package org.quiredb.node.measure;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.quiredb.tpcw.interaction.BookQuery;

/// Single statements through MySQL's protocol, on a tier and on a MariaDB, in turns.
///
/// The bookstore's queries read the same rows on both. What writes has a table of its own at each
/// of them: the MariaDB may be the one beneath the tier, which must not be written past the tier.
///
/// Threads: one.
public final class QueriesLab {
    private static final String ROWS_WRITTEN =
            "SELECT CAST(SUM(variable_value) AS UNSIGNED) FROM information_schema.global_status WHERE variable_name IN ('HANDLER_WRITE', 'HANDLER_UPDATE', 'HANDLER_DELETE')";
    private static final long CALM_ROWS = 20;
    private static final int CALM_POLLS = 50;
    private static final int CALM_MILLIS = 200;

    private final MeasuredServer quire;
    private final MeasuredServer alone;
    private final Plan plan;
    private final Consumer<String> say;

    /// What is measured.
    ///
    /// @param millis of each round of each statement on each server
    /// @param warmMillis of each statement on the tier, before
    public record Plan(List<Integer> clients, long millis, long warmMillis, int rounds) {
        private static final int MOST_CLIENTS = 200;

        public Plan {
            clients = clients.stream().sorted().distinct().toList();
            if (clients.isEmpty()
                    || clients.getFirst() < 1
                    || clients.getLast() > MOST_CLIENTS
                    || millis < 1
                    || rounds < 1) {
                throw new IllegalArgumentException(
                        "--clients must be between 1 and %d, --seconds and --rounds at least 1"
                                .formatted(MOST_CLIENTS));
            }
        }
    }

    /// @param alone with the same bookstore
    public QueriesLab(MeasuredServer quire, MeasuredServer alone, Plan plan, Consumer<String> say) {
        this.quire = quire;
        this.alone = alone;
        this.plan = plan;
        this.say = say;
    }

    /// Nothing of it is left at the servers when it returns, or throws.
    public QueriesReport run() throws SQLException, InterruptedException {
        List<Probe> probes = Probe.all(stock());
        try {
            quire.makeScratch();
            alone.makeScratch();
            warm(probes);
            List<StatementComparison> all = new ArrayList<>();
            for (Probe probe : probes) {
                for (int clients : plan.clients()) {
                    all.add(compare(probe, clients));
                }
            }
            return new QueriesReport(plan, alone.text("SELECT VERSION()"), all);
        } finally {
            quire.dropScratch();
            alone.dropScratch();
        }
    }

    private BookQuery.Stock stock() throws SQLException {
        return new BookQuery.Stock(count("item"), count("customer"), count("orders"));
    }

    private int count(String table) throws SQLException {
        return (int) alone.number("SELECT COUNT(*) FROM " + table);
    }

    private void warm(List<Probe> probes) throws SQLException, InterruptedException {
        say.accept("warming up");
        for (Probe probe : probes) {
            if (plan.warmMillis() > 0) {
                LoadClients.Answers _ =
                        run(quire, probe, plan.clients().getLast(), plan.warmMillis(), 0);
                LoadClients.Answers _ = run(alone, probe, 1, plan.warmMillis() / 4, 0);
            }
        }
    }

    private StatementComparison compare(Probe probe, int clients)
            throws SQLException, InterruptedException {
        List<LoadClients.Answers> byAlone = new ArrayList<>();
        List<LoadClients.Answers> byQuire = new ArrayList<>();
        for (int round = 1; round <= plan.rounds(); round++) {
            boolean quireFirst = round % 2 == 0;
            for (boolean toQuire : new boolean[] {quireFirst, !quireFirst}) {
                (toQuire ? byQuire : byAlone)
                        .add(run(toQuire ? quire : alone, probe, clients, plan.millis(), round));
                if (toQuire && probe.kind() == Probe.Kind.TABLE_WRITE) {
                    awaitCalm();
                }
            }
        }
        StatementComparison done =
                new StatementComparison(
                        probe,
                        clients,
                        Collections.unmodifiableList(byAlone),
                        Collections.unmodifiableList(byQuire));
        say.accept(
                "%s, %d clients: %.2f times"
                        .formatted(probe.key(), clients, done.ratio().median()));
        return done;
    }

    private static LoadClients.Answers run(
            MeasuredServer server, Probe probe, int clients, long millis, long seed)
            throws SQLException, InterruptedException {
        return new LoadClients(server, probe, clients, seed).run(millis);
    }

    /// The MariaDB may be beneath the tier, and have to write what clients of the tier are done
    /// with.
    private void awaitCalm() throws SQLException, InterruptedException {
        long before = alone.number(ROWS_WRITTEN);
        for (int poll = 0; poll < CALM_POLLS; poll++) {
            TimeUnit.MILLISECONDS.sleep(CALM_MILLIS);
            long now = alone.number(ROWS_WRITTEN);
            if (now - before < CALM_ROWS) {
                return;
            }
            before = now;
        }
        say.accept("the MariaDB is still writing, which is what it is measured beside");
    }
}
