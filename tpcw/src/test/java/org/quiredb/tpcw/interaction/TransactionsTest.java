package org.quiredb.tpcw.interaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quiredb.tpcw.transaction.Sql;
import org.quiredb.tpcw.transaction.TransactionRunner;

@Tag("slow")
class TransactionsTest {

    private TransactionRunner transactions;

    @BeforeEach
    void open() throws SQLException {
        transactions = Bookstore.open();
    }

    @AfterEach
    void close() throws SQLException {
        transactions.close();
    }

    @Test
    void aReadOnlyTransactionCannotWrite() {
        assertThatThrownBy(() ->
                        transactions.read(connection ->
                                Sql.write(
                                        connection, "UPDATE item SET i_stock = 10 WHERE i_id = 1")))
                .isInstanceOf(SQLException.class);
        assertThat(transactions.readCommits()).isZero();
    }

    @Test
    void whatFailsIsRolledBackAndTheConnectionStaysUsable() throws SQLException {
        String before = Bookstore.query("SELECT i_page FROM item WHERE i_id = 90").getFirst();

        assertThatThrownBy(() ->
                        transactions.update(connection -> {
                            Sql.write(connection, "UPDATE item SET i_page = -1 WHERE i_id = 90");
                            return Sql.write(connection, "UPDATE no_such_table SET x = 1");
                        }))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("no_such_table");

        assertThat(Bookstore.query("SELECT i_page FROM item WHERE i_id = 90"))
                .containsExactly(before);
        assertThat(transactions.retries()).isZero();
        assertThat(new ProductDetail(90).answer(transactions).pages()).isPositive();
    }

    @Test
    void aDeadlocksVictimIsRunAgain() throws Exception {
        var bothHoldOne = new CyclicBarrier(2);
        try (var other = Bookstore.open();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Long> one = threads.submit(() -> lockTwo(transactions, 91, 92, bothHoldOne));
            Future<Long> two = threads.submit(() -> lockTwo(other, 92, 91, bothHoldOne));

            assertThat(one.get(30, TimeUnit.SECONDS) + two.get(30, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(transactions.updateCommits()).isOne();
            assertThat(other.updateCommits()).isOne();
        }
    }

    /// Returns how often the transaction was run again.
    private static long lockTwo(
            TransactionRunner transactions, int first, int second, CyclicBarrier bothHoldOne)
            throws SQLException {
        transactions.update(connection -> {
            Sql.write(connection, "UPDATE item SET i_page = i_page + 1 WHERE i_id = ?", first);
            if (transactions.retries() == 0) {
                await(bothHoldOne);
            }
            return Sql.write(
                    connection, "UPDATE item SET i_page = i_page + 1 WHERE i_id = ?", second);
        });
        return transactions.retries();
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("The other transaction did not come", e);
        }
    }
}
