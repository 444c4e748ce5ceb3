package org.quiredb.common.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.topology.Schedulers;
import org.quiredb.common.version.ClassPosition;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;
import org.quiredb.common.writeset.CounterChange;
import org.quiredb.common.writeset.Effects;
import org.quiredb.common.writeset.PageChange;
import org.quiredb.common.writeset.PageOperations;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.common.writeset.RowShape;
import org.quiredb.common.writeset.TablePart;
import org.quiredb.common.writeset.WriteSet;

/// Damages messages at random, from a seed that the test's name shows.
final class MangledMessageTest {
    private static final int ROUNDS = 2000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aDamagedWriteSetIsRefused(long seed) {
        Random random = new Random(seed);
        byte[] intact = writeSet(random).encode();
        assertThat(WriteSet.decode(intact).encode()).isEqualTo(intact);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] damaged = damaged(random, intact);
            assertThatThrownBy(() -> WriteSet.decode(damaged))
                    .isInstanceOf(MangledMessageException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aDamagedPartOfATableIsRefused(long seed) {
        Random random = new Random(seed);
        byte[] page = new byte[PageOperations.PAGE_BYTES];
        random.nextBytes(page);
        TablePart part =
                new TablePart(
                        new ConflictClass("shop"),
                        3,
                        70_000,
                        2,
                        List.of(new TablePart.Page(random.nextLong(), page)));
        byte[] intact = part.encode();
        assertThat(TablePart.decode(intact).encode()).isEqualTo(intact);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] damaged = damaged(random, intact);
            assertThatThrownBy(() -> TablePart.decode(damaged))
                    .isInstanceOf(MangledMessageException.class);
        }
    }

    /// Requests carry no checksum, so that damage may give another valid request, but never another
    /// exception.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aDamagedRequestIsRefusedOrIsAnotherRequest(long seed) {
        Random random = new Random(seed);
        byte[] intact = read().encode();
        assertThat(ReplicaRequest.decode(intact).encode()).isEqualTo(intact);
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            try {
                assertThat(ReplicaRequest.decode(damaged(random, intact))).isNotNull();
            } catch (MangledMessageException e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    /// As above, for every message that a status port or a comparison sends.
    @ParameterizedTest
    @MethodSource("operatorsMessages")
    void aDamagedOperatorsMessageIsRefusedOrIsAnother(
            byte[] intact, UnaryOperator<byte[]> recoded) {
        Random random = new Random(5);
        assertThat(recoded.apply(intact)).isEqualTo(intact);
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            try {
                assertThat(recoded.apply(damaged(random, intact))).isNotNull();
            } catch (MangledMessageException e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    private static Stream<Arguments> operatorsMessages() {
        UnaryOperator<byte[]> request = bytes -> SchedulerRequest.decode(bytes).encode();
        UnaryOperator<byte[]> reply = bytes -> SchedulerReply.decode(bytes).encode();
        UnaryOperator<byte[]> toLogger = bytes -> LoggerRequest.decode(bytes).encode();
        List<ClassPosition> positions =
                List.of(new ClassPosition(new ConflictClass("shop"), 1_000_000));
        NodeStatus status =
                new NodeStatus(
                        "slave-1",
                        "slave",
                        "serving",
                        4711,
                        3310,
                        7,
                        List.of(new NodeStatus.Mastered(new ConflictClass("crm"), 5)),
                        positions,
                        VersionVector.EMPTY.with(3, 9),
                        2,
                        List.of(new NodeStatus.Figure("reads", 0.5)),
                        List.of("a backend is away"),
                        List.of(new LockWait("shop.orders", 17, List.of(12, 13), 3200)));
        List<ClusterNode> nodes =
                List.of(
                        new ClusterNode("127.0.0.1:3310", true, status),
                        new ClusterNode("127.0.0.1:3311", false, null));
        return Stream.of(
                Arguments.of(new SchedulerRequest.Status().encode(), request),
                Arguments.of(new SchedulerRequest.Cluster().encode(), request),
                Arguments.of(new SchedulerRequest.Pin().encode(), request),
                Arguments.of(new SchedulerRequest.Accounts().encode(), request),
                Arguments.of(new SchedulerRequest.Unpin(300).encode(), request),
                Arguments.of(
                        new SchedulerRequest.Announce(
                                        Schedulers.NOBODY.entered("q1", 7, "here", 1),
                                        "q1",
                                        true,
                                        VersionVector.EMPTY.with(3, 9),
                                        VersionVector.EMPTY,
                                        4,
                                        TableLocks.NONE.next(Set.of(300, 2)))
                                .encode(),
                        request),
                Arguments.of(
                        new SchedulerReply.Noted(
                                        VersionVector.EMPTY.with(3, 9),
                                        TableLocks.NONE.next(Set.of(300, 2)))
                                .encode(),
                        reply),
                Arguments.of(new SchedulerReply.StatusReply(status).encode(), reply),
                Arguments.of(new SchedulerReply.ClusterReply(nodes).encode(), reply),
                Arguments.of(
                        new SchedulerReply.Pinned(2, VersionVector.EMPTY.with(1, 300), 1000)
                                .encode(),
                        reply),
                Arguments.of(new SchedulerReply.Done().encode(), reply),
                Arguments.of(new SchedulerReply.Failed("too many").encode(), reply),
                Arguments.of(new LoggerRequest.OpenComparison(positions).encode(), toLogger),
                Arguments.of(new LoggerRequest.Digests().encode(), toLogger),
                Arguments.of(new LoggerRequest.RowDigests(1, "shop", "item").encode(), toLogger));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aPageOperationBeyondThePageIsRefused(int kind) {
        ByteWriter beyond = new ByteWriter();
        if (kind == 0) {
            PageOperations.put(beyond, PageOperations.PAGE_BYTES - 1, new byte[2], 0, 2);
        } else {
            PageOperations.move(beyond, 0, PageOperations.PAGE_BYTES - 1, 2);
        }
        assertThatThrownBy(() -> PageOperations.check(beyond.toByteArray()))
                .isInstanceOf(MangledMessageException.class);
    }

    private static WriteSet writeSet(Random random) {
        byte[] content = new byte[40];
        random.nextBytes(content);
        ByteWriter operations = new ByteWriter();
        PageOperations.put(operations, random.nextInt(8000), content, 0, content.length);
        PageOperations.move(
                operations, random.nextInt(4000), random.nextInt(4000), random.nextInt(4000));
        return new WriteSet(
                new ConflictClass("shop"),
                random.nextInt(100),
                random.nextInt(100_000),
                random.nextLong(),
                List.of(new PageChange(random.nextLong(), operations.toByteArray())),
                List.of(new CounterChange(7, -1, 12)),
                List.of(),
                new Effects(
                        RowChanges.of(
                                List.of(
                                        new RowChange(
                                                new RowShape(
                                                        RowShape.Kind.DELETE,
                                                        "shop",
                                                        "item",
                                                        List.of("id"),
                                                        List.of(),
                                                        ""),
                                                List.of(SqlValue.of(random.nextLong()))))),
                        1,
                        0),
                300);
    }

    private static ReplicaRequest read() {
        List<SqlValue> values =
                List.of(
                        SqlValue.NULL,
                        SqlValue.of(-5),
                        SqlValue.of("Zürich"),
                        new SqlValue.DecimalValue("19.90"),
                        new SqlValue.DateValue(LocalDate.of(2026, 1, 2)),
                        new SqlValue.DateTimeValue(LocalDateTime.of(2026, 1, 2, 3, 4, 5)),
                        new SqlValue.TimeValue(Duration.ofHours(-30)));
        return new ReplicaRequest.Read(
                3,
                VersionVector.EMPTY.with(2, 17),
                VersionVector.EMPTY.with(1, 4),
                new StatementCall("shop", "SELECT ?", values, true, 2, false));
    }

    private static byte[] damaged(Random random, byte[] intact) {
        if (random.nextInt(4) == 0) {
            return java.util.Arrays.copyOf(intact, random.nextInt(intact.length));
        }
        byte[] damaged = intact.clone();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return java.util.Arrays.equals(damaged, intact)
                ? java.util.Arrays.copyOf(intact, 1)
                : damaged;
    }
}
