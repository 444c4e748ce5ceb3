package org.quiredb.common.group;

import java.nio.charset.StandardCharsets;
import org.jgroups.Address;
import org.jgroups.util.ExtendedUUID;

/// A group address that carries its member's name, so that a view alone says who is in it.
final class NamedAddress {
    private static final String NAME = "n";
    private static final int MAX_NAME_BYTES = 100;

    private NamedAddress() {}

    static Address create(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > MAX_NAME_BYTES) {
            throw new IllegalArgumentException(
                    "a member's name has 1 to " + MAX_NAME_BYTES + " bytes: " + name);
        }
        return ExtendedUUID.randomUUID(name).put(NAME, bytes);
    }

    static String name(Address address) {
        byte[] name = address instanceof ExtendedUUID uuid ? uuid.get(NAME) : null;
        return name == null ? address.toString() : new String(name, StandardCharsets.UTF_8);
    }
}
