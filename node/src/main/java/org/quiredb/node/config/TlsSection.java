package org.quiredb.node.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.quiredb.scheduler.endpoint.TlsSettings;

/// TLS of MySQL clients.
///
/// @param certificateFile a PEM chain; without one a certificate is made at the start
/// @param keyFile its key, PEM of PKCS #8
public record TlsSection(
        @Default("offered") Mode mode, @Nullable Path certificateFile, @Nullable Path keyFile) {
    public enum Mode {
        @JsonProperty("off")
        OFF("off", TlsSettings.Mode.OFF),
        @JsonProperty("offered")
        OFFERED("offered", TlsSettings.Mode.OFFERED),
        @JsonProperty("required")
        REQUIRED("required", TlsSettings.Mode.REQUIRED);

        private final String text;
        private final TlsSettings.Mode meant;

        Mode(String text, TlsSettings.Mode meant) {
            this.text = text;
            this.meant = meant;
        }

        /// As in the file.
        @Override
        public String toString() {
            return text;
        }
    }

    public static final TlsSection DEFAULT = new TlsSection(Mode.OFFERED, null, null);

    /// Where both ends are on one machine there is nothing to hide from.
    public static final TlsSection OFF = new TlsSection(Mode.OFF, null, null);

    public TlsSection {
        if ((certificateFile == null) != (keyFile == null)) {
            throw new IllegalArgumentException(
                    "scheduler.tls.certificateFile and keyFile come together or not at all");
        }
    }

    public TlsSettings settings() {
        return new TlsSettings(mode.meant, certificateFile, keyFile);
    }
}
