package org.quiredb.scheduler.session.evaluate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.quiredb.common.mysql.ServerStatus;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Output;
import org.quiredb.sql.text.Token;
import org.quiredb.sql.text.Tokens;

/// MariaDB's INSERT ... RETURNING, whose rows the backend has evaluated: memory shows them when it
/// adds them.
///
/// Threads: one at a time, its session's.
public final class Returning implements Output {
    private final ClientStatement sent;
    private final ClientStatement statement;
    private final String clause;
    private final List<byte[]> gathered = new ArrayList<>();

    private Returning(ClientStatement sent, ClientStatement statement, String clause) {
        this.sent = sent;
        this.statement = statement;
        this.clause = clause;
    }

    /// @return empty where the statement is another one, or what it shows has parameters
    public static Optional<Returning> of(ClientStatement sent) {
        Tokens tokens = sent.tokens();
        int at = tokens.is(0, "INSERT") ? tokens.size() : 0;
        int depth = 0;
        for (int i = tokens.size() - 1; i > 0 && at == tokens.size(); i--) {
            depth += tokens.is(i, ')') ? 1 : tokens.is(i, '(') ? -1 : 0;
            if (tokens.get(i) instanceof Token.Marker) {
                at = 0;
            } else if (depth == 0 && tokens.is(i, "RETURNING")) {
                at = i;
            }
        }
        if (at == 0 || at == tokens.size()) {
            return Optional.empty();
        }
        int end = tokens.is(tokens.size() - 1, ';') ? tokens.size() - 1 : tokens.size();
        ClientStatement plain =
                ClientStatement.of(
                        tokens.text(0, at), sent.bound(), sent.binaryRows(), sent.moreResults());
        return Optional.of(
                new Returning(
                        sent,
                        sent.database() == null ? plain : plain.preparedIn(sent.database()),
                        " " + tokens.text(at, end)));
    }

    /// The same that shows nothing.
    ClientStatement statement() {
        return statement;
    }

    /// What adds the rows and shows them.
    ClientStatement adding(RowStatements.One rows) {
        gathered.clear();
        return ClientStatement.of(
                rows.sql() + clause, rows.values(), sent.binaryRows(), sent.moreResults());
    }

    @Override
    public void relay(byte[] packets, Runnable written) {
        gathered.add(packets);
        written.run();
    }

    @Override
    public void ok(
            long affectedRows, long lastInsertId, int statusFlags, int warnings, String info) {
        throw new IllegalStateException("an INSERT that is to show its rows has shown none");
    }

    /// @param ended whether the transaction is over, of which the end of the rows says that it goes
    ///   on
    void answer(boolean ended, Output output) {
        answer(gathered, ended, output);
    }

    /// @param rows packets that come to the end of the rows
    static void answer(List<byte[]> rows, boolean ended, Output output) {
        byte[] last = rows.getLast();
        if (ended) {
            last[last.length - 2] &= (byte) ~ServerStatus.IN_TRANSACTION;
        }
        rows.forEach(packets -> output.relay(packets, () -> {}));
    }
}
