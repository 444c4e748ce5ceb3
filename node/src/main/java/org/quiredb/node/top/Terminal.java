package org.quiredb.node.top;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.quiredb.common.error.ErrorCode;
import org.quiredb.common.error.QuireException;

/// The terminal that the process runs at, as a page that is written over.
///
/// `stty` has keys come one by one and unseen; at the end, also one by a signal, everything is as
/// it was. Threads: one.
final class Terminal implements AutoCloseable {
    private static final String OTHER_PAGE = "\033[?1049h\033[?25l";
    private static final String BACK = "\033[?25h\033[?1049l";
    private static final int POLL_MILLIS = 25;

    private final PrintWriter out;
    private final InputStream in;
    private final String before;
    private final Thread atEnd = new Thread(this::putBack);

    /// How large it is.
    record Size(int rows, int columns) {}

    Terminal(PrintWriter out, InputStream in) {
        this.out = out;
        this.in = in;
        before = stty("-g");
        stty("-icanon", "-echo", "min", "1");
        Runtime.getRuntime().addShutdownHook(atEnd);
        out.print(OTHER_PAGE);
        out.flush();
    }

    Size size() {
        String[] size = stty("size").split(" ", 2);
        try {
            int rows = Integer.parseInt(size[0]);
            int columns = Integer.parseInt(size[1]);
            return new Size(rows > 0 ? rows : 24, columns > 0 ? columns : 80);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return new Size(24, 80);
        }
    }

    void show(List<String> lines) {
        out.print("\033[H");
        for (int i = 0; i < lines.size(); i++) {
            out.print(lines.get(i));
            out.print(i + 1 < lines.size() ? "\033[K\n" : "\033[K\033[J");
        }
        out.flush();
    }

    /// The next key, in words for those that are several bytes; empty when none comes in time.
    String key(long withinMillis) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(withinMillis);
        while (in.available() == 0) {
            if (System.nanoTime() - deadline >= 0) {
                return "";
            }
            Thread.sleep(POLL_MILLIS); // a terminal's stream has no read with a limit
        }
        int key = in.read();
        if (key == 27) {
            if (in.available() == 0) {
                return "escape";
            }
            byte[] rest = in.readNBytes(Math.min(2, in.available()));
            return switch (new String(rest, StandardCharsets.US_ASCII)) {
                case "[A", "OA" -> "up";
                case "[B", "OB" -> "down";
                default -> "";
            };
        }
        return key < 0 ? "q" : key == '\n' || key == '\r' ? "enter" : String.valueOf((char) key);
    }

    private static String stty(String... arguments) {
        try {
            ProcessBuilder command = new ProcessBuilder("stty").redirectErrorStream(true);
            command.command().addAll(List.of(arguments));
            Process process = command.redirectInput(ProcessBuilder.Redirect.INHERIT).start();
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() == 0) {
                return said.strip();
            }
            throw noTerminal(said.strip(), null);
        } catch (IOException e) {
            throw noTerminal(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw noTerminal("interrupted", e);
        }
    }

    private static QuireException noTerminal(String why, @Nullable Throwable cause) {
        String message =
                "this is no terminal that keys can be read from (%s); use --once".formatted(why);
        return cause == null
                ? new QuireException(ErrorCode.TIER_UNAVAILABLE, message)
                : new QuireException(ErrorCode.TIER_UNAVAILABLE, message, cause);
    }

    private void putBack() {
        out.print(BACK);
        out.flush();
        stty(before);
    }

    @Override
    public void close() {
        if (Runtime.getRuntime().removeShutdownHook(atEnd)) {
            putBack();
        }
    }
}
