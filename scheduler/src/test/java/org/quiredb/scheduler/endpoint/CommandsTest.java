package org.quiredb.scheduler.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.quiredb.common.mysql.ErrPacket;

final class CommandsTest {
    @Test
    void whatIsWrongInsideIsNotToldToAClient() {
        ErrPacket told = Commands.internal(new IllegalStateException("row 7 holds 'secret'"));

        assertThat(told.message()).doesNotContain("secret").doesNotContain("Exception");
    }
}
