package org.quiredb.node.clients;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// MariaDB's own client asks for the extended metadata, and shows them.
@ExtendWith(BothSides.class)
@Tag("slow")
final class ExtendedMetadataTest {
    private static final String TABLE =
            """
            CREATE DATABASE IF NOT EXISTS described;
            USE described;
            CREATE OR REPLACE TABLE t (id INT PRIMARY KEY, j JSON, j2 LONGTEXT CHECK (JSON_VALID(j2)),
                v VARCHAR(40) CHECK (JSON_VALID(v)), x LONGTEXT, y LONGTEXT CHECK (LENGTH(y) < 9),
                u UUID, e ENUM('a'), n INT CHECK (JSON_VALID(n)), p POINT, g GEOMETRY, CHECK (JSON_VALID(x)));
            INSERT INTO t (id, j, v, u) VALUES (1, '{"a": 1}', '[]', '123e4567-e89b-12d3-a456-426655440000');
            """;

    /// What memory runs, what the backend runs, several results, and none.
    private static final String ASKED =
            """
            USE described;
            SELECT id, j, j2, v, x, y, n FROM t;
            SELECT j FROM t AS other WHERE id = 1;
            SELECT j, J AS K FROM t WHERE id = 2;
            SELECT u, e FROM t WHERE id = 1;
            SELECT p, g FROM t WHERE id = 1;
            SELECT p, ST_X(p) FROM t WHERE id = 1;
            SELECT j, JSON_VALUE(j, '$.a') FROM t;
            INSERT INTO t (id, j) VALUES (7, '{}');
            UPDATE t SET v = '[1]' WHERE id = 7;
            BEGIN;
            SELECT j, u FROM t WHERE id = 7 FOR UPDATE;
            DELETE FROM t WHERE id = 7;
            SELECT j, v FROM t ORDER BY id;
            COMMIT;
            SELECT * FROM nothing;
            SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'described' AND TABLE_NAME = 't' ORDER BY 1;
            """;

    /// What else is shown of a column: widths, flags and the client's character set.
    private static final Pattern OTHERS =
            Pattern.compile("(Collation|Length|Max_length|Flags): .*");

    @TempDir private Path folder;
    private final BothSides.Ports ports;

    ExtendedMetadataTest(BothSides.Ports ports) {
        this.ports = ports;
    }

    @Test
    void theyAreThoseOfAServer() throws Exception {
        for (int port : List.of(ports.mariaDb(), ports.quire())) {
            assertThat(shown(port, TABLE)).isEmpty();
        }
        String expected = shown(ports.mariaDb(), ASKED);
        assertThat(expected).contains("BLOB (format=json)", "STRING (type=uuid)", "(type=point)");
        assertThat(shown(ports.quire(), ASKED)).isEqualTo(expected);
    }

    private String shown(int port, String statements) throws IOException, InterruptedException {
        Path in = folder.resolve("in-" + port);
        Path out = folder.resolve("out-" + port);
        Files.writeString(in, statements);
        Process process =
                new ProcessBuilder(
                                ports.programs().resolve("mariadb").toString(),
                                "--no-defaults",
                                "--skip-ssl",
                                "--force",
                                "--table",
                                "--column-type-info",
                                "--host=127.0.0.1",
                                "--port=" + port,
                                "--user=" + BothSides.USER,
                                "--password=" + BothSides.PASSWORD)
                        .redirectErrorStream(true)
                        .redirectInput(in.toFile())
                        .redirectOutput(out.toFile())
                        .start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        try (Stream<String> lines = Files.lines(out, StandardCharsets.UTF_8)) {
            return lines.filter(line -> !OTHERS.matcher(line).matches()).collect(joining("\n"));
        }
    }
}
