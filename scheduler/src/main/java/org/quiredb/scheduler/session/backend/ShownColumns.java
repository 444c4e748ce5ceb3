package org.quiredb.scheduler.session.backend;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;
import org.quiredb.common.message.CatalogueEntry;
import org.quiredb.common.message.Condition;
import org.quiredb.scheduler.account.Rights;
import org.quiredb.scheduler.fallback.Freshness;
import org.quiredb.scheduler.fallback.connection.Asked;
import org.quiredb.scheduler.fallback.connection.BackendSession;
import org.quiredb.scheduler.fallback.connection.Outcome;
import org.quiredb.scheduler.fallback.connection.SettingAnswers;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.scheduler.session.state.Services;
import org.quiredb.scheduler.session.state.SessionState;
import org.quiredb.sql.command.ColumnsStatement;
import org.quiredb.sql.tree.TableName;

/// What SHOW COLUMNS and DESCRIBE say of a table of the tier, which applications ask before they
/// write: the backend is asked once for each definition, text and settings of a session.
///
/// Invariant: a table that is changed has another id in the catalogue of whoever may see the
/// change, so that what was kept of the former definition is found by nobody who must see the new
/// one; and rights that are read anew are others.
///
/// Threads: owned by the session's thread.
public final class ShownColumns {
    private final Services services;
    private final SessionState state;
    private final Fallback fallback;

    /// What an answer hangs on, besides the session's settings.
    private record Question(
            String sql, boolean binaryRows, int statusFlags, CatalogueEntry table, Rights rights) {}

    @SuppressWarnings("ArrayRecordComponent") // never changed, never compared
    private record Answer(byte[] packets, List<Condition> conditions)
            implements SettingAnswers.Sized {
        @Override
        public int bytes() {
            return packets.length;
        }
    }

    public ShownColumns(Services services, SessionState state, Fallback fallback) {
        this.services = services;
        this.state = state;
        this.fallback = fallback;
    }

    /// @return false for any other statement, and for what is no table of the tier
    public boolean show(ClientStatement statement, Output output) {
        Optional<TableName> named =
                statement.ofSession() || !statement.bound().isEmpty()
                        ? Optional.empty()
                        : ColumnsStatement.table(statement.tokens());
        if (named.isEmpty()) {
            return false;
        }
        services.cluster().awaitReady();
        Optional<CatalogueEntry> table =
                services.cluster().catalogue().table(state.qualified(named.get()));
        if (table.isEmpty()) {
            return false;
        }
        Question question =
                new Question(
                        statement.sql(),
                        statement.binaryRows(),
                        state.statusFlags(statement.moreResults()),
                        table.get(),
                        services.accounts().rights(state.login()));
        BackendSession session = fallback.session();
        Answer answer =
                fallback.settings()
                        .of(
                                session,
                                question,
                                true,
                                statement.sql(),
                                Answer.class,
                                () -> ask(session, statement));
        state.diagnostics().warned(answer.conditions());
        output.relay(answer.packets().clone(), () -> {}); // which numbers them in place
        return true;
    }

    private Answer ask(BackendSession session, ClientStatement statement) {
        Asked asked = fallback.told(statement).asked();
        Freshness freshness = fallback.awaitEverything(Fallback.ABOUT_THE_SERVER);
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        Outcome outcome = services.backend().run(session, freshness, asked, rows::writeBytes);
        fallback.applied()
                .learnEverything(); // before the client has it and can tell another what it saw
        return new Answer(rows.toByteArray(), outcome.conditions());
    }
}
