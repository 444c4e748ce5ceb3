package org.quiredb.common.message;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.schema.IndexDefinition;
import org.quiredb.common.sql.SqlValue;
import org.quiredb.common.topology.Mastership;
import org.quiredb.common.topology.Member;
import org.quiredb.common.topology.Topology;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.RowChange;
import org.quiredb.common.writeset.RowChanges;
import org.quiredb.common.writeset.RowShape;

/// Makes instances of any message from the shape of its records, so that a new message is tested
/// from its first day.
final class RandomMessages {
    private final Random random;

    RandomMessages(Random random) {
        this.random = random;
    }

    <T> T of(Class<T> type) {
        try {
            return type.cast(value(type));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no " + type + " can be made", e);
        }
    }

    private Object value(Type type) throws ReflectiveOperationException {
        if (type instanceof ParameterizedType generic) {
            return container(generic);
        }
        if (!(type instanceof Class<?> plain)) {
            throw new IllegalArgumentException("no value for " + type);
        }
        if (plain.isRecord()) {
            return record(plain);
        }
        if (plain.isSealed()) {
            Class<?>[] kinds = plain.getPermittedSubclasses();
            return value(kinds[random.nextInt(kinds.length)]);
        }
        if (plain.isEnum()) {
            return plain.getEnumConstants()[random.nextInt(plain.getEnumConstants().length)];
        }
        return plain == RowChanges.class ? rowChanges() : simple(plain);
    }

    private RowChanges rowChanges() {
        List<RowChange> changes = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            RowShape shape =
                    new RowShape(
                            RowShape.Kind.INSERT,
                            "s",
                            of(String.class),
                            List.of("a"),
                            List.of("a", "b"),
                            "");
            changes.add(new RowChange(shape, List.of(of(SqlValue.class), of(SqlValue.class))));
        }
        return RowChanges.of(changes);
    }

    private Object container(ParameterizedType generic) throws ReflectiveOperationException {
        Type element = generic.getActualTypeArguments()[0];
        if (generic.getRawType() == Optional.class) {
            return random.nextBoolean() ? Optional.empty() : Optional.of(value(element));
        }
        if (generic.getRawType() != List.class && generic.getRawType() != Set.class) {
            throw new IllegalArgumentException("no value for " + generic);
        }
        List<Object> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            list.add(value(element));
        }
        return generic.getRawType() == Set.class ? new HashSet<>(list) : list;
    }

    private Object record(Class<?> type) throws ReflectiveOperationException {
        if (type == IndexDefinition.class) { // has as many prefixes as columns
            return new IndexDefinition("i", random.nextBoolean(), List.of("a", "b"), List.of(0, 9));
        }
        if (type == Topology.class) { // is led by one of its members
            Member first = of(Member.class);
            long term = random.nextInt(90);
            Mastership leader = new Mastership(first.name(), term);
            SortedMap<ConflictClass, Mastership> classes =
                    new TreeMap<>(Comparator.comparing(ConflictClass::name));
            classes.put(of(ConflictClass.class), leader);
            int active = random.nextInt(9);
            return new Topology(
                    term + random.nextInt(9), term, leader, classes, active, List.of(first));
        }
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] values = new @Nullable Object[components.length];
        for (int i = 0; i < components.length; i++) {
            boolean absent = nullable(components[i].getAnnotatedType()) && random.nextBoolean();
            values[i] = absent ? null : value(components[i].getGenericType());
        }
        Constructor<?> canonical =
                type.getDeclaredConstructor(
                        Arrays.stream(components)
                                .map(RecordComponent::getType)
                                .toArray(Class<?>[]::new));
        return canonical.newInstance(values);
    }

    private static boolean nullable(AnnotatedType type) {
        return type.isAnnotationPresent(Nullable.class);
    }

    private Object simple(Class<?> type) {
        if (type == long.class || type == Long.class) {
            return random.nextLong() >>> random.nextInt(1, 64);
        } else if (type == int.class || type == Integer.class) {
            return random.nextInt(90);
        } else if (type == boolean.class) {
            return random.nextBoolean();
        } else if (type == double.class) {
            return random.nextDouble();
        } else if (type == byte[].class) {
            byte[] bytes = new byte[random.nextInt(20)];
            random.nextBytes(bytes);
            return bytes;
        } else if (type == String.class) {
            return Integer.toString(random.nextInt(), 36) + "ü€";
        } else if (type == LocalDate.class) {
            return LocalDate.ofEpochDay(random.nextInt(30_000));
        } else if (type == LocalDateTime.class) {
            return LocalDate.ofEpochDay(random.nextInt(30_000))
                    .atTime(random.nextInt(24), random.nextInt(60));
        } else if (type == Duration.class) {
            return Duration.ofSeconds(random.nextInt(-100_000, 100_000));
        } else if (type == VersionVector.class) {
            return VersionVector.EMPTY
                    .with(random.nextInt(1, 5), random.nextInt(1, 1000))
                    .with(random.nextInt(5, 9), random.nextInt(1, 1000));
        }
        throw new IllegalArgumentException("no value for " + type);
    }
}
