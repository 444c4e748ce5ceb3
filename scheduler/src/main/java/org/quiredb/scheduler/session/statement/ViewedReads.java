package org.quiredb.scheduler.session.statement;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.scheduler.account.Need;
import org.quiredb.scheduler.classify.Classification;
import org.quiredb.scheduler.cluster.Catalogue;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.Routines;
import org.quiredb.scheduler.session.backend.Fallback;
import org.quiredb.scheduler.session.backend.MergedViews;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.ReadView;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.scheduler.session.state.Transaction;
import org.quiredb.scheduler.session.transaction.Reads;
import org.quiredb.sql.text.NormalizedSql;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;
import org.quiredb.sql.tree.TableName;

/// Reads of views in memory: each view's query stands in its place ({@link MergedViews}).
///
/// Which views can be read so the backend is asked once for as long as no schema has changed: those
/// whose query memory runs and describes with the same columns as the server does. By that answer
/// the view is also known to be whole, and its definer to have the rights that it reads with; the
/// client needs its own on the view alone, unless that is one of SQL SECURITY INVOKER. All else is
/// the backend's, as any read of what is no table here.
///
/// Invariant: a state is read by no definition of another one ({@link ClientStatement#isReadAt}).
///
/// Threads: owned by the session's thread, or by its event loop.
final class ViewedReads {
    /// Of views that are read by others.
    private static final int DEEPEST = 16;

    private static final int LONGEST = 32 * 1024;

    /// By which the tier compares constants, too.
    private static final Set<String> USUAL = Set.of("utf8mb4_general_ci", "utf8mb3_general_ci");

    /// What orders a view's rows, or chooses some by their order, or locks them.
    private static final List<String> OTHERWISE = List.of("LIMIT", "ORDER", "FETCH", "UPDATE");

    /// Of a column; the others say how its table keeps it.
    private static final int MEANT =
            ColumnFlag.UNSIGNED | ColumnFlag.ZEROFILL | ColumnFlag.ENUM | ColumnFlag.SET;

    /// The character set of what is no text: how wide that may be shown a server does not tell of
    /// expressions before it runs them.
    private static final int BINARY = 63;

    private static final Known NONE = new Known("", false, false);

    private final Services services;
    private final SessionState state;
    private final Permissions permissions;
    private final OtherMeaning meaning;
    private final Reads reads;

    /// A read as the tier runs it.
    ///
    /// @param statement that the backend gets as the client has sent it, and replicas as one of
    ///   tables
    record Merged(Classification.Read read, ClientStatement statement) {}

    /// @param query of tables; empty where memory does not answer it as the server does
    /// @param invoker whether anything of it is read with the rights of who asks for it
    /// @param texts whether there are constants of texts in it
    private record Known(String query, boolean invoker, boolean texts) {}

    private record Wanted(TableName view) {}

    ViewedReads(
            Services services,
            SessionState state,
            Permissions permissions,
            OtherMeaning meaning,
            Reads reads) {
        this.services = services;
        this.state = state;
        this.permissions = permissions;
        this.meaning = meaning;
        this.reads = reads;
    }

    /// @param asks whether the backend may be asked about views
    /// @return null where it names no view, or one that is for the backend
    @Nullable Merged merged(
            Classification.Read read,
            ClientStatement statement,
            Catalogue catalogue,
            boolean asks) {
        if (catalogue.holds(state.qualified(read.tables()))
                || !services.mariaDb()
                || services.backend().several()
                || read.locking()
                || statement.ofSession()
                || statement.sql().length() > LONGEST
                || !state.isolation().snapshots()
                || !permissions.allow(read, catalogue)) {
            return null;
        }
        long changes = services.cluster().schemaChanges();
        ReadView held =
                state.transaction() instanceof Transaction.ReadOnly(ReadView view)
                        ? view
                        : state.snapshot();
        if (changes == 0 || (held != null && held.tag().schemaChanges() != changes)) {
            return null;
        }
        Views views = new Views(changes, catalogue, asks, 0);
        String sql =
                MergedViews.in(
                        statement.tokens(),
                        state.database(),
                        table -> catalogue.table(table).isPresent(),
                        views);
        return sql == null || sql.length() > LONGEST
                ? null
                : merged(sql, views, read, statement, catalogue, changes);
    }

    private @Nullable Merged merged(
            String sql,
            Views views,
            Classification.Read read,
            ClientStatement statement,
            Catalogue catalogue,
            long changes) {
        ClientStatement merged =
                ClientStatement.of(
                        sql, statement.bound(), statement.binaryRows(), statement.moreResults());
        Classification.Read known = inMemory(merged.normalized(), catalogue);
        if (known == null
                || (views.texts && state.computesOtherwise(true))
                || !merged.nesting().isWithin(services.limits().nesting())) {
            return null;
        }
        List<Need> needs = new ArrayList<>(read.needs());
        if (views.invoker) {
            needs.addAll(known.needs());
        }
        Classification.Read asked =
                new Classification.Read(
                        known.tables(),
                        false,
                        known.headings(),
                        "",
                        known.computes(),
                        known.computesTexts(),
                        needs);
        return permissions.allow(asked, catalogue) && meaning.backendReason(asked, merged).isEmpty()
                ? new Merged(asked, statement.normalizedAs(merged.normalized(), changes))
                : null;
    }

    /// Null for what is no read of tables that memory runs.
    private Classification.@Nullable Read inMemory(NormalizedSql query, Catalogue catalogue) {
        return services.classifier().classify(query.text()) instanceof Classification.Read known
                        && !known.locking()
                        && known.backendReason().isEmpty()
                        && catalogue.holds(state.qualified(known.tables()))
                ? known
                : null;
    }

    /// The queries of views as they are at one count of schema changes, and what is to be known of
    /// those that were asked for.
    private final class Views implements MergedViews.Queries {
        private final long changes;
        private final Catalogue catalogue;
        private final boolean asks;
        private final int depth;
        private boolean invoker;
        private boolean texts;

        Views(long changes, Catalogue catalogue, boolean asks, int depth) {
            this.changes = changes;
            this.catalogue = catalogue;
            this.asks = asks;
            this.depth = depth;
        }

        @Override
        public @Nullable String of(TableName view) {
            if (view.database().isEmpty()
                    || Fallback.isSystem(view.database())
                    || depth > DEEPEST) {
                return null;
            }
            var definitions = services.backend().definitions();
            Wanted wanted = new Wanted(view);
            Known known =
                    asks
                            ? definitions.of(changes, wanted, Known.class, () -> look(view))
                            : definitions.known(changes, wanted, Known.class);
            if (known == null || known.query.isEmpty()) {
                return null;
            }
            invoker |= known.invoker;
            texts |= known.texts;
            return known.query;
        }

        private Known look(TableName name) {
            Routines.View view = services.backend().routines().view(name).orElse(null);
            if (view == null || !view.name().equals(name) || view.query().length() > LONGEST) {
                return NONE; // the server knows the case of names
            }
            Tokens query = Tokens.of(view.query());
            boolean hasTexts = hasTexts(query);
            boolean usual =
                    OTHERWISE.stream().noneMatch(query::has)
                            && (!hasTexts || USUAL.contains(view.collation()));
            if (!usual) {
                return NONE;
            }
            Views within = new Views(changes, catalogue, true, depth + 1);
            String merged =
                    MergedViews.in(
                            query,
                            name.database(),
                            table -> catalogue.table(table).isPresent(),
                            within);
            if (merged != null && view.invoker()) {
                return NONE; // who reads it needs rights on those within, too
            }
            if (merged == null) {
                merged = view.query(); // of tables only, or of what memory does not know
            }
            return isSame(name, merged)
                    ? new Known(merged, view.invoker() || within.invoker, hasTexts || within.texts)
                    : NONE;
        }

        /// Whether memory runs it, and describes it as the server does the view.
        private boolean isSame(TableName view, String query) {
            String all = "SELECT * FROM (" + query + ") AS `v`";
            if (inMemory(NormalizedSql.of(all), catalogue) == null) {
                return false;
            }
            List<ColumnMetadata> there;
            try {
                there =
                        services.backend()
                                .describe(
                                        BackendSession.OWN,
                                        "SELECT * FROM `%s`.`%s`"
                                                .formatted(
                                                        view.database().replace("`", "``"),
                                                        view.name().replace("`", "``")));
            } catch (StatementFailed | QuireException e) {
                return false; // whoever reads it is told
            }
            Optional<List<byte[]>> here = reads.describedHere(all);
            return here.isPresent()
                    && here.get().size() == there.size()
                    && IntStream.range(0, there.size())
                            .allMatch(i ->
                                    areAlike(ColumnMetadata.read(here.get().get(i)), there.get(i)));
        }
    }

    private static boolean areAlike(ColumnMetadata here, ColumnMetadata there) {
        return here.name().equals(there.name())
                && here.type() == there.type()
                && here.characterSet() == there.characterSet()
                && (here.characterSet() == BINARY || here.length() == there.length())
                && here.decimals() == there.decimals()
                && (here.flags() & MEANT) == (there.flags() & MEANT);
    }

    private static boolean hasTexts(Tokens query) {
        return IntStream.range(0, query.size())
                .anyMatch(i ->
                        query.get(i) instanceof Token.Constant constant
                                && constant.value() instanceof SqlValue.StringValue);
    }
}
