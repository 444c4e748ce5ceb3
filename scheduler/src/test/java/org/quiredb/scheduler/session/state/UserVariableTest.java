package org.quiredb.scheduler.session.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.quiredb.common.mysql.ColumnFlag;
import org.quiredb.common.mysql.ColumnMetadata;
import org.quiredb.common.mysql.MySqlType;
import org.quiredb.common.sql.SqlValue;

final class UserVariableTest {
    @Test
    void aNumberKeepsItsType() {
        assertThat(of(MySqlType.LONGLONG, 0, "-5").constant()).isEqualTo("(-5)");
        assertThat(of(MySqlType.LONGLONG, 0, "-5").expression()).isEqualTo("CAST(-5 AS SIGNED)");
        assertThat(of(MySqlType.LONGLONG, ColumnFlag.UNSIGNED, "18446744073709551615").constant())
                .isEqualTo("18446744073709551615");
        assertThat(of(MySqlType.NEWDECIMAL, 0, "15").constant()).isEqualTo("15.");
        assertThat(of(MySqlType.NEWDECIMAL, 0, "-1.50").expression())
                .isEqualTo("CAST('-1.50' AS DECIMAL(3, 2))");
        assertThat(of(MySqlType.DOUBLE, 0, "1500").constant()).isEqualTo("1500.0E0");
    }

    @Test
    void aTextKeepsItsCollation() {
        UserVariable latin =
                UserVariable.of(
                        column(MySqlType.LONG_BLOB, 0),
                        SqlValue.of("it's"),
                        "latin1",
                        "latin1_bin");
        assertThat(latin.constant()).isEqualTo("'it''s'");
        assertThat(latin.expression())
                .isEqualTo("CONVERT(_utf8mb4 x'69742773' USING latin1) COLLATE latin1_bin");
        UserVariable plain = new UserVariable(SqlValue.of("a"), "", "");
        assertThat(plain.expression()).isEqualTo("'a'");
        assertThat(new UserVariable(new SqlValue.BytesValue(new byte[0]), "", "").expression())
                .isEqualTo("_binary ''");
        assertThat(UserVariable.NULL.constant()).isEqualTo("NULL");
    }

    private static UserVariable of(int type, int flags, String shown) {
        return UserVariable.of(column(type, flags), SqlValue.of(shown), "binary", "binary");
    }

    private static ColumnMetadata column(int type, int flags) {
        return ColumnMetadata.expression("v", 63, 20, type, flags, 0);
    }
}
