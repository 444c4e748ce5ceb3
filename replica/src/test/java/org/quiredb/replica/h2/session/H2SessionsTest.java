package org.quiredb.replica.h2.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.h2.command.Prepared;
import org.h2.message.DbException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What H2's own text could do, if it ever came to a session that runs clients' statements.
class H2SessionsTest {
    private final H2Sessions sessions = new H2Sessions();

    @TempDir private Path folder;

    @AfterEach
    void end() {
        sessions.end();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT FILE_WRITE('x', '%s/f')",
                "SELECT FILE_READ('%s/secret')",
                "SELECT * FROM CSVREAD('%s/secret')",
                "CALL CSVWRITE('%s/f', 'SELECT 1')",
                "SCRIPT TO '%s/f'",
                "RUNSCRIPT FROM '%s/secret'",
                "BACKUP TO '%s/f'",
                "CREATE LINKED TABLE l('', 'jdbc:h2:%s/f', 'sa', '', 't')",
                "SELECT * FROM LINK_SCHEMA('s', '', 'jdbc:h2:%s/f', 'sa', '', 'PUBLIC')",
                "CREATE ALIAS a FOR 'java.lang.System.getProperty'",
                "CREATE AGGREGATE a FOR 'java.lang.Object'",
                "CREATE TABLE t (a INT)",
                "CREATE TRIGGER g BEFORE INSERT ON t CALL 'x'",
                "CREATE USER u PASSWORD ''",
                "ALTER USER OWNER SET PASSWORD 'x'",
                "GRANT ALL ON SCHEMA PUBLIC TO STATEMENTS",
                "SET MODE REGULAR",
                "SET DB_CLOSE_DELAY 0",
                "DROP ALL OBJECTS",
                "SHUTDOWN",
                "SHUTDOWN IMMEDIATELY"
            })
    void theyHaveNoRightsBeyondOurTables(String text) throws Exception {
        Files.writeString(folder.resolve("secret"), "SELECT 1");
        PooledSession session = java.util.Objects.requireNonNull(sessions.take());
        String sql = text.formatted(folder);
        assertThatThrownBy(
                        () -> {
                            Prepared prepared = session.session().prepare(sql);
                            if (prepared.isQuery()) {
                                prepared.query(0);
                            } else {
                                prepared.update();
                            }
                        })
                .isInstanceOf(DbException.class);
        session.giveBack();
        assertThat(folder.toFile().list()).containsExactly("secret");
        assertThat(sessions.take()).isNotNull();
    }

    @Test
    void theyRunOurFunctions() {
        PooledSession session = java.util.Objects.requireNonNull(sessions.take());
        var result = session.session().prepare("SELECT PUBLIC.QUIRE_SIGN(-5)").query(0);
        assertThat(result.next()).isTrue();
        assertThat(result.currentRow()[0].getInt()).isEqualTo(-1);
        session.giveBack();
    }
}
