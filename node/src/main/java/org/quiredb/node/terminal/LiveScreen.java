package org.quiredb.node.terminal;

import java.io.PrintWriter;
import java.util.List;

/// A terminal. The view stands at the bottom; what is said is written over it and pushes it down.
///
/// The terminal itself cuts the view's lines (autowrap is off while they are written), so that each
/// takes one row however narrow the window is, which nothing in Java tells.
///
/// Threads: any; guarded by itself.
final class LiveScreen implements Screen {
    private static final int WIDTH = 80;
    private static final String CLEAR_BELOW = "\033[J";
    private static final String CLEAR_REST_OF_LINE = "\033[K";
    private static final String CUT = "\033[?7l";
    private static final String WRAP = "\033[?7h";

    private final PrintWriter out;
    private List<String> picture = List.of();

    LiveScreen(PrintWriter out) {
        this.out = out;
    }

    @Override
    public synchronized void say(String text) {
        toTop();
        out.print(CLEAR_BELOW);
        Lines.wrapped(text, WIDTH).forEach(out::println);
        draw(picture);
    }

    @Override
    public synchronized void show(View now) {
        if (!now.picture().equals(picture)) {
            toTop();
            draw(now.picture());
        }
    }

    @Override
    public synchronized void end(String text) {
        show(new View(List.of(), ""));
        say(text);
    }

    private void toTop() {
        if (!picture.isEmpty()) {
            out.print("\033[" + picture.size() + "F");
        }
    }

    private void draw(List<String> lines) {
        if (!lines.isEmpty()) {
            out.print(CUT);
            lines.forEach(line -> out.println(line + CLEAR_REST_OF_LINE));
            out.print(WRAP);
        }
        out.print(CLEAR_BELOW);
        out.flush();
        picture = lines;
    }
}
