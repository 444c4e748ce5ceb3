package org.quiredb.node.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/// A key for a server, and the certificate by which it vouches for itself. Without one MariaDB
/// makes its own with each start, of 4,096 bits, for up to half a minute of a processor.
record ServerKey(Path file, Path certificate) {
    private static final String NAME = "server";
    private static final String PASSWORD = "secret";

    static ServerKey in(Path folder) throws IOException, InterruptedException {
        Path store = folder.resolve("key.p12");
        Process keytool =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                                .toString(),
                                        "-genkeypair",
                                        "-alias",
                                        NAME,
                                        "-keyalg",
                                        "RSA",
                                        "-keysize",
                                        "2048",
                                        "-dname",
                                        "CN=MariaDB",
                                        "-keystore",
                                        store.toString(),
                                        "-storepass",
                                        PASSWORD))
                        .inheritIO()
                        .start();
        assertThat(keytool.waitFor()).isZero();
        try {
            KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
            return new ServerKey(
                    pem(
                            folder.resolve("key.pem"),
                            "PRIVATE KEY",
                            keys.getKey(NAME, PASSWORD.toCharArray()).getEncoded()),
                    pem(
                            folder.resolve("certificate.pem"),
                            "CERTIFICATE",
                            keys.getCertificate(NAME).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path pem(Path file, String kind, byte[] content) throws IOException {
        return Files.writeString(
                file,
                "-----BEGIN %s-----%n%s%n-----END %s-----%n"
                        .formatted(
                                kind,
                                Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                                        .encodeToString(content),
                                kind));
    }
}
