package org.quiredb.replica.h2.value;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.h2.value.Value;
import org.h2.value.ValueDouble;
import org.h2.value.ValueReal;

/// Zero with a minus, which MySQL keeps and shows as `-0`, and H2 does not have.
///
/// Here it is a second zero of H2's, equal to the first in all that H2 computes and compares, and
/// known by which object it is. H2 hands values on as they are; where it computes a zero, the minus
/// is lost: `MySqlFunctions` computes with numbers that float instead.
///
/// Threads: any.
public final class NegativeZero {
    private static final Value DOUBLE = another(ValueDouble.class, double.class, 0.0);
    private static final Value SINGLE = another(ValueReal.class, float.class, 0.0f);

    private NegativeZero() {}

    private static Value another(Class<? extends Value> type, Class<?> of, Object zero) {
        try {
            MethodHandle constructor =
                    MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                            .findConstructor(type, MethodType.methodType(void.class, of));
            return (Value) constructor.invoke(zero);
        } catch (Throwable e) {
            throw new IllegalStateException("this H2 has another " + type.getSimpleName(), e);
        }
    }

    private static boolean is(double number) {
        return number == 0 && Double.doubleToRawLongBits(number) != 0;
    }

    public static Value ofDouble(double number) {
        return is(number) ? DOUBLE : ValueDouble.get(number);
    }

    public static Value ofSingle(float number) {
        return is(number) ? SINGLE : ValueReal.get(number);
    }

    /// With its sign.
    @SuppressWarnings("ReferenceEquality")
    public static double number(Value value) {
        return value == DOUBLE || value == SINGLE ? -0.0 : value.getDouble();
    }
}
