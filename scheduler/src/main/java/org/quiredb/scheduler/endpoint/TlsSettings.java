package org.quiredb.scheduler.endpoint;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Whether clients may, or must, come over TLS.
///
/// @param certificateFile a PEM chain, the server's own first; null for a certificate that is made
///   at the start
/// @param keyFile its private key, PEM of PKCS #8, not encrypted
public record TlsSettings(Mode mode, @Nullable Path certificateFile, @Nullable Path keyFile) {
    public enum Mode {
        OFF,
        OFFERED,
        /// Clients without are refused with error 3159.
        REQUIRED
    }

    public static final TlsSettings OFF = new TlsSettings(Mode.OFF, null, null);
    public static final TlsSettings OFFERED = new TlsSettings(Mode.OFFERED, null, null);

    public TlsSettings {
        if ((certificateFile == null) != (keyFile == null)) {
            throw new IllegalArgumentException(
                    "certificateFile and keyFile come together or not at all");
        }
    }
}
