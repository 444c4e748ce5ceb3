package org.quiredb.node.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.quiredb.common.message.NodeStatus;
import org.quiredb.common.message.NodeStatus.Figure;
import org.quiredb.common.metrics.Sample;
import org.quiredb.common.version.ClassPosition;

/// A node's status as samples.
final class StatusSamples {
    /// How a figure is exposed.
    ///
    /// @param label the figure's name goes on with this label's value; empty where it does not
    private record Form(String figure, String name, boolean counter, String label, String help) {}

    private static final List<Form> FORMS =
            List.of(
                    counter("reads", "read_statements", "Read statements answered."),
                    counter("plans.reads", "plan_reads", "Reads that a plan over pages ran."),
                    counter("plans.others", "plan_others", "Reads that H2 ran."),
                    counter("results.hits", "Reads answered with a kept result."),
                    counter("results.misses", "Reads of which no result was kept."),
                    counter("results.outdated", "Reads whose kept result was not theirs for sure."),
                    counter("results.evicted", "Kept results that gave way to others."),
                    gauge("results.kept", "Results that are kept."),
                    gauge("results.bytes", "Size of the kept results."),
                    counter("reads.reclaimed", "Reads whose versions had been reclaimed."),
                    new Form(
                            "reads.",
                            "quire_routed_reads",
                            true,
                            "replica",
                            "Read statements sent to a replica."),
                    gauge("pages", "Pages, in memory or on disk."),
                    gauge("pages.bytes", "Size of the pages and old versions in memory."),
                    gauge("pages.old", "page_old_versions", "Page versions kept for old tags."),
                    gauge(
                            "pages.pending",
                            "page_pending_operations",
                            "Operations received and not yet applied to their page."),
                    gauge(
                            "pages.pending.bytes",
                            "page_pending_bytes",
                            "Size of the operations not yet applied to their page."),
                    gauge(
                            "pages.limit",
                            "pages_limit_bytes",
                            "Size that the pages in memory are kept to; 0 for no limit."),
                    counter("pages.loaded", "Pages read back from disk."),
                    counter("pages.evicted", "Pages that left memory for disk."),
                    counter("pages.stored", "Pages written to disk."),
                    gauge("pages.file.bytes", "Size of the pages on disk."),
                    counter("pages.checkpoints", "Rounds that wrote all pages to disk."),
                    gauge("pages.restored", "Pages that the replica began with from its disk."),
                    gauge("pages.joined", "Pages that the replica was sent when it joined."),
                    gauge("pages.joined.bytes", "Size of the messages with those pages."),
                    gauge("pages.resident", "Pages whose newest version is in memory."),
                    counter(
                            "pages.applied",
                            "page_applied_operations",
                            "Operations that waited for their page and were applied to it."),
                    gauge(
                            "warmup.percent",
                            "Share of the reads that it takes while it is a spare."),
                    counter("hints.sent", "Page ids told to spares."),
                    counter("hints.touched", "Page ids touched as a spare."),
                    counter("pages.sent", "Pages sent to replicas that join."),
                    counter("pages.sent.bytes", "Size of the messages with those pages."),
                    gauge("versions.bytes", "Size of old page versions and of operations."),
                    gauge(
                            "versions.maximum.bytes",
                            "What old page versions and operations may take."),
                    counter("versions.given_up", "Times that versions of old tags were given up."),
                    new Form(
                            "member.",
                            "quire_group_member",
                            false,
                            "member",
                            "1 for each member of the group that the node sees."),
                    new Form(
                            "received.",
                            "quire_received_commit",
                            false,
                            "class",
                            "Last commit of the class that the node has received."),
                    gauge("log.away.seconds", "For how long the log has not answered, else 0."),
                    gauge("transactions.open", "Update transactions open."),
                    gauge("lock.waiting", "Transactions that wait for a lock."),
                    counter("lock.waits", "Times a transaction waited for a lock."),
                    counter("lock.wait.seconds", "Time that transactions waited for locks."),
                    counter("lock.deadlocks", "Transactions refused with 1213."),
                    counter("lock.timeouts", "Waits that ended with 1205."),
                    counter(
                            "statements.retried",
                            "Autocommit statements run again after a deadlock."),
                    counter("writeset.bytes", "Write sets sent."),
                    gauge("replicas.insync", "Replicas that commits wait for."),
                    counter("updates", "update_statements", "Update statements done."),
                    counter("commits", "Update transactions committed."),
                    counter("fallback.statements", "Statements that the backend ran."),
                    counter(
                            "snapshots.missed",
                            "Read-only transactions that could not go on in the backend."),
                    counter("errors", "Errors that clients were told."),
                    counter("logins.failed", "Logins with a wrong password or name."),
                    counter("version.retries", "Reads run again with a newer tag."),
                    counter(
                            "version.conflicts",
                            "Reads that failed because their snapshot was gone."),
                    counter("replays", "Update transactions that went on on a new master."),
                    counter(
                            "replays.differed",
                            "Replayed transactions whose results came out otherwise."),
                    gauge("connections", "Clients that have logged in."),
                    gauge("connections.arriving", "Connections that have not logged in."),
                    gauge("reads.running", "Statements of read-only transactions under way."),
                    gauge("tags.used", "Tags in use."),
                    gauge("tags.oldest.seconds", "Age of the oldest tag."),
                    counter("tags.lapsed", "Tags that were held for too long."),
                    gauge(
                            "tags.unreached.seconds",
                            "For how long no replica has had what the tags name."),
                    gauge("tag.lacking", "1 when the replica lacks something of the oldest tag."),
                    new Form(
                            "table.limited.",
                            "quire_table_limited",
                            false,
                            "table",
                            "1 when the tier only reads the table, 2 when the backend alone serves it."),
                    gauge("backends", "Backends that hold the whole log."),
                    new Form(
                            "backend.standing.",
                            "quire_backend_standing",
                            false,
                            "backend",
                            "0 while the backend is away, 1 while it catches up, 2 when it holds the whole log, 3 when it must be copied anew, 4 when it is set aside."),
                    new Form(
                            "backend.applied.",
                            "quire_backend_applied_commits",
                            false,
                            "backend",
                            "Commits of all classes that the backend has applied."),
                    new Form(
                            "backend.backlog.",
                            "quire_backend_backlog",
                            false,
                            "backend",
                            "Stable commits that the backend has yet to apply."),
                    new Form(
                            "backend.repaired.",
                            "quire_backend_repaired_rows",
                            true,
                            "backend",
                            "Rows that the backend had otherwise than the tier, put right."),
                    new Form(
                            "backend.owed.",
                            "quire_backend_owed_rows",
                            false,
                            "backend",
                            "Rows that the backend has otherwise than the tier, to be put right."),
                    counter(
                            "appended_commits",
                            "logged_commits",
                            "Commits written to the log, schema changes among them."),
                    counter(
                            "log_transactions",
                            "Backend transactions that wrote commits to the log."),
                    gauge(
                            "applier_backlog",
                            "Stable commits that the slowest applier has yet to apply."));

    private StatusSamples() {}

    /// Called as the figure.
    private static Form counter(String figure, String help) {
        return counter(figure, figure.replace('.', '_'), help);
    }

    private static Form gauge(String figure, String help) {
        return gauge(figure, figure.replace('.', '_'), help);
    }

    private static Form counter(String figure, String name, String help) {
        return new Form(figure, "quire_" + name, true, "", help);
    }

    private static Form gauge(String figure, String name, String help) {
        return new Form(figure, "quire_" + name, false, "", help);
    }

    static List<Sample> of(NodeStatus status) {
        Map<String, String> node = new LinkedHashMap<>();
        node.put("node", status.name());
        node.put("role", status.role());
        List<Sample> samples = new ArrayList<>();
        samples.add(
                new Sample(
                        "quire_up",
                        "1 while the node serves, else 0.",
                        false,
                        node,
                        status.state().equals("serving") ? 1 : 0));
        samples.add(new Sample("quire_epoch", "The node's epoch.", false, node, status.epoch()));
        samples.add(
                new Sample(
                        "quire_catalogue_version",
                        "Grows with every schema change.",
                        false,
                        node,
                        status.catalogueVersion()));
        for (ClassPosition position : status.positions()) {
            samples.add(
                    new Sample(
                            "quire_position_commit",
                            "Last commit of the class: stable on a master, received on a slave or spare, applied on a logger, shown by a scheduler.",
                            false,
                            with(node, "class", position.conflictClass().name()),
                            position.commitNumber()));
        }
        status.figures().forEach(figure -> samples.add(sample(node, figure)));
        return samples;
    }

    private static Sample sample(Map<String, String> node, Figure figure) {
        for (Form form : FORMS) {
            if (form.label.isEmpty() && figure.name().equals(form.figure)) {
                return new Sample(form.name, form.help, form.counter, node, figure.value());
            }
        }
        for (Form form : FORMS) {
            if (!form.label.isEmpty() && figure.name().startsWith(form.figure)) {
                String value = figure.name().substring(form.figure.length());
                return new Sample(
                        form.name,
                        form.help,
                        form.counter,
                        with(node, form.label, value),
                        figure.value());
            }
        }
        return new Sample(
                "quire_" + figure.name().replaceAll("[^a-zA-Z0-9]+", "_"),
                figure.name(),
                false,
                node,
                figure.value());
    }

    private static Map<String, String> with(Map<String, String> node, String label, String value) {
        Map<String, String> labels = new LinkedHashMap<>(node);
        labels.put(label, value);
        return labels;
    }
}
