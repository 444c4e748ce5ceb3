package org.quiredb.node.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SuiteTest {
    @TempDir private Path root;

    @BeforeEach
    void aSuiteIsThere() throws IOException {
        write("include/cache.inc", "--source include/deeper.inc");
        write("include/deeper.inc", "--source include/cache.inc\nset GLOBAL query_cache_type=ON;");
        write("include/innodb.inc", "SELECT 'innodb'; # @@global.x is not set");
    }

    @Test
    void whatItSetsForAllIsFoundInFilesThatItHasRun() throws IOException {
        write("main/own.test", "SET @@global.x = 1;");
        write("main/sourced.test", "SELECT 1;\n-- source include/cache.inc\n");
        write("main/beside.test", "source beside.inc;");
        write("main/beside.inc", "source include/deeper.inc;");
        write("main/plain.test", "--source include/innodb.inc\n# source include/cache.inc\n");

        Suite suite = new Suite(root);

        assertThat(suite.needs("own")).contains("sets the server itself");
        assertThat(suite.needs("sourced")).contains("sets the server itself");
        assertThat(suite.needs("beside")).contains("sets the server itself");
        assertThat(suite.needs("plain")).isEmpty();
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve("share/mysql/mysql-test").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
