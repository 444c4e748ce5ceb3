package org.quiredb.node.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.trust.ClusterSecret;
import org.quiredb.common.trust.Trust;

/// What all processes of the cluster hold, and nobody else.
///
/// @param secret itself; from the environment, say
/// @param secretFile that holds it
public record ClusterSection(@Nullable String secret, @Nullable Path secretFile) {
    private static final int LONGEST_BYTES = 4096;

    /// A secret that nobody else has.
    public static ClusterSection random() {
        byte[] bytes = new byte[ClusterSecret.LEAST_BYTES];
        new SecureRandom().nextBytes(bytes);
        return new ClusterSection(HexFormat.of().formatHex(bytes), null);
    }

    public ClusterSection {
        if ((secret == null) == (secretFile == null)) {
            throw new IllegalArgumentException(
                    "cluster needs either 'secret' or 'secretFile', exactly one of them");
        }
        if (secret != null) {
            secretOf("cluster.secret", secret);
        }
    }

    /// @throws ConfigException when the file cannot be used
    public Trust trust() {
        if (secret != null) {
            return trustOf("cluster.secret", secret);
        }
        return trustOf("cluster.secretFile", Objects.requireNonNull(secretFile));
    }

    /// @param name of the key or option that names the file
    /// @throws ConfigException when it cannot be used
    public static Trust trustOf(String name, Path file) {
        try {
            if (Files.size(file) > LONGEST_BYTES) {
                throw new ConfigException(
                        "%s: %s has more than %d bytes; is it the right file?"
                                .formatted(name, file, LONGEST_BYTES));
            }
            return trustOf(name + " " + file, Files.readString(file));
        } catch (IOException e) {
            throw new ConfigException(
                    "%s: %s cannot be read (%s); create it for this user alone, with the same content everywhere: openssl rand -hex 32"
                            .formatted(name, file, e),
                    e);
        }
    }

    /// @param name of what holds the text
    /// @throws ConfigException when it is no secret
    public static Trust trustOf(String name, String text) {
        try {
            return Trust.of(secretOf(name, text));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()), e);
        }
    }

    private static ClusterSecret secretOf(String where, String text) {
        try {
            return ClusterSecret.of(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(where + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "ClusterSection[" + (secret == null ? "secretFile=" + secretFile : "a secret") + "]";
    }
}
