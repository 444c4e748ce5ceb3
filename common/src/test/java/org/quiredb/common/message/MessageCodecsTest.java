package org.quiredb.common.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.quiredb.common.wire.ByteReader;
import org.quiredb.common.wire.ByteWriter;
import org.quiredb.common.wire.MangledMessageException;

/// Every kind of every message comes back as it was sent, and damaged, cut or lengthened is either
/// refused or another valid message: no other exception, and nothing bigger than what came.
@Tag("slow")
final class MessageCodecsTest {
    private static final int SEEDS = 40;
    private static final int DAMAGES = 100;

    record Codec<M>(Class<? extends M> kind, Function<M, byte[]> encode, Decoder<M> decode) {
        @Override
        public String toString() {
            return kind.getName().replaceAll(".*\\.", "");
        }

        private void check(long seed) {
            Random random = new Random(seed);
            byte[] intact = encode.apply(new RandomMessages(random).of(kind));
            M decoded = decode.decode(intact);
            assertThat(kind.isInstance(decoded)).isTrue();
            assertThat(encode.apply(decoded)).isEqualTo(intact);
            for (int i = 0; i < DAMAGES; i++) {
                byte[] damaged = damaged(random, intact);
                try {
                    decode.decode(damaged);
                } catch (MangledMessageException refused) {
                    assertThat(refused).hasMessageMatching("(?s).+");
                }
            }
        }
    }

    @FunctionalInterface
    interface Decoder<M> {
        M decode(byte[] message);
    }

    static Stream<Codec<?>> codecs() {
        return Stream.of(
                        kinds(LoggerRequest.class, LoggerRequest::encode, LoggerRequest::decode),
                        kinds(LoggerReply.class, LoggerReply::encode, LoggerReply::decode),
                        kinds(GroupMessage.class, GroupMessage::encode, GroupMessage::decode),
                        kinds(TransferPart.class, TransferPart::encode, TransferPart::decode),
                        kinds(SnapshotPart.class, SnapshotPart::encode, SnapshotPart::decode),
                        kinds(ReplicaRequest.class, ReplicaRequest::encode, ReplicaRequest::decode),
                        kinds(ReplicaReply.class, ReplicaReply::encode, ReplicaReply::decode),
                        Stream.of(
                                new Codec<>(
                                        TableDigest.class,
                                        digest -> written(digest::encode),
                                        MessageCodecsTest::tableDigest),
                                new Codec<>(
                                        RowDigest.class,
                                        digest -> written(digest::encode),
                                        MessageCodecsTest::rowDigest)))
                .flatMap(Function.identity());
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void comesBackOrIsRefused(Codec<?> codec) {
        LongStream.range(0, SEEDS)
                .forEach(seed -> {
                    try {
                        codec.check(seed);
                    } catch (RuntimeException | AssertionError e) {
                        throw new AssertionError(codec + " under seed " + seed, e);
                    }
                });
    }

    @SuppressWarnings("unchecked") // a permitted subclass of a sealed interface is one
    private static <M> Stream<Codec<?>> kinds(
            Class<M> message, Function<M, byte[]> encode, Decoder<M> decode) {
        return Arrays.stream(message.getPermittedSubclasses())
                .map(kind -> new Codec<>((Class<? extends M>) kind, encode, decode));
    }

    private static byte[] written(java.util.function.Consumer<ByteWriter> message) {
        ByteWriter writer = new ByteWriter();
        message.accept(writer);
        return writer.toByteArray();
    }

    private static TableDigest tableDigest(byte[] bytes) {
        ByteReader reader = new ByteReader(bytes);
        TableDigest digest = TableDigest.decode(reader);
        reader.finish();
        return digest;
    }

    private static RowDigest rowDigest(byte[] bytes) {
        ByteReader reader = new ByteReader(bytes);
        RowDigest digest = RowDigest.decode(reader);
        reader.finish();
        return digest;
    }

    private static byte[] damaged(Random random, byte[] intact) {
        return switch (random.nextInt(4)) {
            case 0 -> Arrays.copyOf(intact, random.nextInt(intact.length));
            case 1 -> Arrays.copyOf(intact, intact.length + 1 + random.nextInt(3));
            case 2 -> {
                int at = random.nextInt(intact.length);
                byte[] noise = new byte[Math.min(1 + random.nextInt(8), intact.length - at)];
                random.nextBytes(noise);
                byte[] damaged = intact.clone();
                System.arraycopy(noise, 0, damaged, at, noise.length);
                yield damaged;
            }
            default -> {
                byte[] damaged = intact.clone();
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
                yield damaged;
            }
        };
    }
}
