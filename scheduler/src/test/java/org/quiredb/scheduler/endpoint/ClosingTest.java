package org.quiredb.scheduler.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;
import org.quiredb.scheduler.account.Account;
import org.quiredb.scheduler.account.Accounts;
import org.quiredb.scheduler.session.state.ClientLimits;

/// Whoever comes while the endpoint closes is let go, in whatever moment: a client that waits for a
/// greeting waits for as long as it waits for an answer.
final class ClosingTest {
    private static final int ROUNDS = 150;
    private static final int CLIENTS = 6;
    private static final int SILENCE_MILLIS = 5_000;
    private static final Accounts NOBODY =
            new Accounts() {
                @Override
                public Optional<Account> find(String user, String clientHost) {
                    return Optional.empty();
                }

                @Override
                public Optional<String> remembered(Account account) {
                    return Optional.empty();
                }

                @Override
                public boolean admits(Account account, String password) {
                    return false;
                }
            };

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger comings = new AtomicInteger();
    private final AtomicInteger leftAlone = new AtomicInteger();

    @Test
    @Timeout(120)
    void nobodyIsLeftWithoutAWord() throws InterruptedException {
        Random random = new Random(1);
        MySqlServer server = start(0);
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(Thread.ofVirtual().start(() -> comeAgainAndAgain(address)));
        }
        for (int round = 0; round < ROUNDS; round++) {
            TimeUnit.MICROSECONDS.sleep(random.nextInt(5_000));
            server.close();
            server = start(address.getPort());
        }
        over.set(true);
        server.close();
        for (Thread client : clients) {
            client.join();
        }
        assertThat(comings).hasPositiveValue();
        assertThat(leftAlone).hasValue(0);
    }

    @Test
    void whoIsGoneAsSoonAsItHasLoggedInIsNoError() {
        ClientChannel gone =
                new ClientChannel(new EmbeddedChannel(), new LargePackets(0), channel -> {});
        assertThatThrownBy(() -> gone.allow(1)).isInstanceOf(ClientGone.class);
    }

    private void comeAgainAndAgain(InetSocketAddress address) {
        while (!over.get()) {
            try (Socket socket = new Socket()) {
                socket.connect(address);
                comings.incrementAndGet();
                socket.setSoTimeout(SILENCE_MILLIS);
                readToTheEnd(socket);
            } catch (SocketTimeoutException e) {
                leftAlone.incrementAndGet();
            } catch (IOException e) {
                Thread.onSpinWait(); // nobody listens just now, or it was closed
            }
        }
    }

    /// Of a connection that its client has made while the listening socket was closed, the system
    /// may have nothing on this side, nor tell its client so before that sends something: nobody's.
    ///
    /// @throws SocketTimeoutException where there is somebody, who is silent
    private static void readToTheEnd(Socket socket) throws IOException {
        try {
            while (socket.getInputStream().read() >= 0) {}
        } catch (SocketTimeoutException e) {
            socket.getOutputStream().write(0);
            while (socket.getInputStream().read() >= 0) {}
        }
    }

    private static MySqlServer start(int port) {
        return new MySqlServer(
                new MySqlServer.Options(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        TlsSettings.OFF,
                        "11.4.5-MariaDB",
                        10,
                        ClientLimits.DEFAULT),
                NOBODY,
                client -> {
                    throw new QuireException(ErrorCode.SERVER_SHUTDOWN, "in");
                },
                new AtomicInteger()::incrementAndGet,
                () -> {});
    }
}
