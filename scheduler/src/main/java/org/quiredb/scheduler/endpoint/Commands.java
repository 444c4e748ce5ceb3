package org.quiredb.scheduler.endpoint;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.EofPacket;
import org.quiredb.common.mysql.ErrPacket;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.mysql.OkPacket;
import org.quiredb.common.mysql.PacketReader;
import org.quiredb.common.mysql.PacketWriter;
import org.quiredb.common.mysql.ServerStatus;
import org.quiredb.common.rpc.RpcException;
import org.quiredb.common.wire.MangledMessageException;
import org.quiredb.scheduler.account.Wildcards;
import org.quiredb.scheduler.characters.CharacterSets;
import org.quiredb.scheduler.characters.ConvertedResults;
import org.quiredb.scheduler.cluster.StatementFailed;
import org.quiredb.scheduler.session.ClientSession;
import org.quiredb.scheduler.session.state.ClientLimits;
import org.quiredb.scheduler.session.state.ClientStatement;
import org.quiredb.scheduler.session.state.Description;
import org.quiredb.scheduler.session.state.Output;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads commands and answers them until the client leaves.
///
/// Threads: owned by the connection's virtual thread, or by its event loop while that thread waits
/// for a command.
final class Commands implements Output {
    private static final Logger LOG = LoggerFactory.getLogger(Commands.class);

    /// Longer statements are not looked at on the event loop.
    private static final int SHORT_TEXT_BYTES = 4 * 1024;

    /// What may be answered there begins so.
    private static final List<String> BRIEF =
            List.of("SELECT", "BEGIN", "START", "COMMIT", "ROLLBACK");

    private static final int NULL = 0xFB;

    /// As COM_CHANGE_USER has none where nothing is to change.
    private static final int NO_COLLATION = 0;

    private final ClientChannel channel;
    private final ClientSession session;
    private final MySqlHandshake handshake;
    private final ClientLimits limits;
    private final Runnable errorSeen;
    private final PreparedStatements prepared;

    /// Null for most clients, who are sent what replicas have written.
    private final @Nullable ExtendedMetadata extended;

    private boolean multiStatements;

    /// The results of the statement that runs; null where the client is shown UTF-8.
    private @Nullable ConvertedResults converted;

    /// The last query that was read on the event loop and not answered there: its session's thread
    /// need not read it again.
    private @Nullable ClientStatement looked;

    Commands(
            ClientChannel channel,
            ClientSession session,
            MySqlHandshake handshake,
            boolean multiStatements,
            boolean extendedMetadata,
            ClientLimits limits,
            Runnable errorSeen) {
        this.prepared = new PreparedStatements(limits, session.kept());
        this.channel = channel;
        this.session = session;
        this.handshake = handshake;
        this.limits = limits;
        this.multiStatements = multiStatements;
        this.errorSeen = errorSeen;
        extended = extendedMetadata ? new ExtendedMetadata(session::extendedType) : null;
    }

    void serve() {
        channel.answers(this::now);
        boolean goOn = true;
        while (goOn && !session.ended()) {
            session.idle(true);
            byte[] command = channel.take().payload();
            session.idle(false);
            begin();
            try {
                goOn = command.length > 0 && run(command);
            } catch (QuireException e) {
                fail(ErrPacket.of(e));
            } catch (StatementFailed e) {
                fail(new ErrPacket(e.number(), e.sqlState(), String.valueOf(e.getMessage())));
            } catch (MangledMessageException e) {
                fail(
                        ErrPacket.of(
                                ErrorCode.UNKNOWN_COMMAND, "malformed packet: " + e.getMessage()));
            } catch (ClientGone e) {
                throw e;
            } catch (RpcException e) {
                LOG.warn(
                        "a statement failed because a connection within the tier was lost: {}",
                        e.getMessage());
                fail(ErrPacket.of(ErrorCode.TIER_UNAVAILABLE, String.valueOf(e.getMessage())));
            } catch (RuntimeException e) {
                fail(internal(e));
            }
        }
    }

    /// Answers a command on the event loop, which must not wait: a short read, a transaction's
    /// begin or end that asks nobody, or hardly anything.
    ///
    /// @return false when it has done nothing
    private boolean now(byte[] command) {
        begin();
        try {
            return switch (command.length == 0 ? 0 : command[0]) {
                case 0x03 -> command.length <= SHORT_TEXT_BYTES && queryNow(command);
                case 0x0E -> {
                    session.idle(false);
                    okay();
                    session.idle(true);
                    yield true;
                }
                case 0x17 -> executeNow(command);
                default -> false;
            };
        } catch (RuntimeException e) {
            LOG.debug("a command is left to its session's thread", e);
            return false;
        }
    }

    private void begin() {
        if (extended != null) {
            extended.restart();
        }
    }

    private boolean queryNow(byte[] command) {
        String text = text(Arrays.copyOfRange(command, 1, command.length));
        if (!mayBeBrief(text) || (multiStatements && text.indexOf(';') >= 0)) {
            return false;
        }
        ClientStatement statement =
                ClientStatement.of(session.asRead(text), List.of(), false, false);
        converts(false);
        if (session.executeNow(statement, this)) {
            return true;
        }
        looked = statement;
        return false;
    }

    private static boolean mayBeBrief(String sql) {
        return sql.length() <= SHORT_TEXT_BYTES
                && BRIEF.stream()
                        .anyMatch(word -> sql.regionMatches(true, 0, word, 0, word.length()));
    }

    private boolean executeNow(byte[] command) {
        PacketReader reader = new PacketReader(command);
        reader.skip(1);
        PreparedStatements.Prepared statement = prepared.get(reader.int4());
        if (!statement.isWhole() || !mayBeBrief(statement.sql) || reader.int1() != 0) {
            return false;
        }
        reader.skip(4);
        converts(true);
        return session.executeNow(
                statement.with(statement.bind(reader, session.characters())), this);
    }

    /// Nothing of it is for the client to know, who may be anybody.
    static ErrPacket internal(RuntimeException e) {
        LOG.error(
                "a statement failed for a reason of this scheduler's own; its client got error 1105",
                e);
        return ErrPacket.of(
                ErrorCode.UNKNOWN_ERROR, "internal error: the log of the scheduler says which");
    }

    private void fail(ErrPacket error) {
        errorSeen.run();
        session.failed(error.number(), error.message());
        CharacterSets sets = session.characterSets();
        channel.send(
                sets == null
                        ? error.payload()
                        : error.payload(sets.ofResults().message(error.message())));
    }

    private boolean run(byte[] command) {
        PacketReader reader = new PacketReader(command);
        switch (reader.int1()) {
            case 0x01 -> {
                return false;
            }
            case 0x02 -> {
                session.use(session.characters().decode(reader.rest()));
                okay();
            }
            case 0x03 -> query(text(reader.rest()));
            case 0x04 -> fields(reader.rest());
            case 0x09 -> channel.send(session.statistics().getBytes(StandardCharsets.UTF_8));
            case 0x0A -> query("SHOW PROCESSLIST");
            case 0x0C -> {
                session.kill(reader.int4(), false);
                okay();
            }
            case 0x0E -> okay();
            case 0x11 -> {
                return changeUser(reader);
            }
            case 0x16 -> prepare(text(reader.rest()));
            case 0x17 -> execute(reader);
            case 0x18 -> prepared.append(reader.int4(), reader.int2(), reader.rest());
            case 0x19 -> prepared.close(reader.int4());
            case 0x1A -> {
                prepared.get(reader.int4()).reset();
                okay();
            }
            case 0x1B -> {
                multiStatements = reader.int2() == 0;
                channel.send(new EofPacket(session.statusFlags(), 0).payload());
            }
            case 0x1F -> {
                session.reset();
                prepared.clear();
                okay();
            }
            default -> throw new QuireException(ErrorCode.UNKNOWN_COMMAND, "Unknown command");
        }
        return true;
    }

    private void okay() {
        ok(0, 0, session.statusFlags(), 0, "");
    }

    private String text(byte[] query) {
        boolean escapes = (session.statusFlags() & ServerStatus.NO_BACKSLASH_ESCAPES) == 0;
        return QueryText.of(query, session.characters(), escapes);
    }

    private void query(String all) {
        List<String> statements = multiStatements ? session.statements(all) : List.of(all);
        if (statements.isEmpty()) {
            statements = List.of(all);
        }
        ClientStatement known = looked;
        looked = null;
        Iterator<String> next = statements.iterator();
        while (next.hasNext()) {
            String text = session.asRead(next.next());
            ClientStatement statement =
                    known != null && known.sql().equals(text) && !next.hasNext()
                            ? known
                            : ClientStatement.of(text, List.of(), false, next.hasNext());
            converts(false);
            session.execute(statement, this);
        }
    }

    /// @param binaryRows as of the answer to come
    private void converts(boolean binaryRows) {
        CharacterSets sets = session.characterSets();
        converted = sets == null ? null : sets.convertedResults(binaryRows);
    }

    private void prepare(String text) {
        prepared.prepares();
        String sql = session.asRead(text);
        Description description = session.describe(sql);
        long id = prepared.add(sql, session.database(), description.parameters());
        channel.send(
                new PacketWriter()
                        .int1(0)
                        .int4(id)
                        .int2(description.columns().size())
                        .int2(description.parameters())
                        .int1(0)
                        .int2(0)
                        .toByteArray());
        EofPacket end = new EofPacket(session.statusFlags(), 0);
        converts(true);
        if (description.parameters() > 0) {
            byte[] parameter =
                    ColumnMetadata.expression("?", 63, 0, MySqlType.VAR_STRING, 128, 0).payload();
            for (int i = 0; i < description.parameters(); i++) {
                define(parameter);
            }
            channel.send(end.payload());
        }
        if (!description.columns().isEmpty()) {
            description.columns().forEach(this::define);
            channel.send(end.payload());
        }
    }

    /// COM_FIELD_LIST, which `mysql` sends for each table of a database to complete the names of
    /// its columns. A definition ends in the column's default, which none of them looks at: NULL.
    ///
    /// @param asked the table's name, a 0, and a pattern of columns' names
    private void fields(byte[] asked) {
        int end = 0;
        while (end < asked.length && asked[end] != 0) {
            end++;
        }
        String table = session.characters().decode(Arrays.copyOf(asked, end));
        String pattern =
                session.characters()
                        .decode(
                                Arrays.copyOfRange(
                                        asked, Math.min(end + 1, asked.length), asked.length));
        Description description =
                session.describe("SELECT * FROM `" + table.replace("`", "``") + "`");
        converts(false);
        for (byte[] column : description.columns()) {
            if (Wildcards.matchesName(pattern, ColumnMetadata.read(column).name())) {
                channel.send(new PacketWriter().raw(definition(column)).int1(NULL).toByteArray());
            }
        }
        channel.send(new EofPacket(session.statusFlags(), 0).payload());
    }

    private void define(byte[] column) {
        channel.send(definition(column));
    }

    private byte[] definition(byte[] column) {
        ConvertedResults shown = converted;
        byte[] definition = shown == null ? column : shown.column(column);
        return extended == null ? definition : extended.definition(definition);
    }

    private void execute(PacketReader reader) {
        PreparedStatements.Prepared statement = prepared.get(reader.int4());
        if (reader.int1() != 0) {
            throw new QuireException(ErrorCode.NOT_SUPPORTED_YET, "Quire does not support cursors");
        }
        reader.skip(4);
        converts(true);
        session.execute(statement.with(statement.bind(reader, session.characters())), this);
    }

    /// @return false when it is not that user, and so nobody any more
    private boolean changeUser(PacketReader reader) {
        String user = reader.nullTerminated();
        reader.skip(reader.int1());
        String database = reader.remaining() > 0 ? reader.nullTerminated() : "";
        int collation = reader.remaining() > 1 ? reader.int2() : NO_COLLATION;
        Runnable inTime = channel.closeAfter(limits.connect());
        try {
            session.become(handshake.prove(user));
        } catch (QuireException e) {
            fail(ErrPacket.of(e));
            return false;
        } finally {
            inTime.run();
        }
        prepared.clear();
        if (collation != NO_COLLATION) {
            session.speaks(collation);
        }
        if (!database.isEmpty()) {
            session.use(database);
        }
        okay();
        return true;
    }

    @Override
    public void relay(byte[] packets, Runnable written) {
        ConvertedResults shown = converted;
        byte[] all = shown == null ? packets : shown.of(packets);
        channel.relay(extended == null ? all : extended.relayed(all), written);
    }

    @Override
    public void ok(
            long affectedRows, long lastInsertId, int statusFlags, int warnings, String info) {
        channel.send(
                new OkPacket(affectedRows, lastInsertId, statusFlags, warnings, info).payload());
    }
}
