package org.quiredb.node.top;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TopViewTest {
    private static final String STATE =
            """
            {"scheduler": "scheduler", "at": 1795425928545,
             "tier": {"state": "serving", "troubles": ["something is wrong"], "nodes": [
               {"name": "scheduler", "role": "scheduler", "state": "serving", "epoch": 4, "figures": {}},
               {"name": "master", "role": "master", "state": "serving", "epoch": 4,
                "figures": {"pages": 200, "pages.resident": 199, "lock.waiting": 3}},
               {"name": "slave-1", "role": "slave", "state": "serving", "epoch": 4, "vector": {"1": 7, "2": 9},
                "figures": {"pages": 200, "pages.resident": 200}},
               {"name": "slave-2", "role": "slave", "state": "serving", "epoch": 4, "figures": {}},
               {"name": "logger", "role": "logger", "state": "serving", "figures": {}}]},
             "inSync": ["master", "slave-1"],
             "backends": [{"name": "db:3306", "standing": "current", "applied": 36, "backlog": 0}],
             "values": {"reads": 2131, "commits": 12.5, "p99.read": 3.25, "reads.master": 1,
               "reads.slave-1": 30, "reads.slave-2": 2100, "lag.slave-1": 7, "lag.slave-2": 0},
             "statements": {
               "heaviest": [{"text": "SELECT a\\u001b[2J FROM t", "count": 9, "meanMillis": 1.5}],
               "slowest": [{"text": "SELECT slow FROM t", "millis": 900, "at": 1795425928545}],
               "backend": [{"text": "SELECT f(a) FROM t", "count": 1, "meanMillis": 2, "backendReason": "function F"}],
               "frequent": []},
             "events": [{"at": 1795425928545, "text": "slave-1 took over."}]}
            """;

    private final JsonNode state;
    private final TopView view = new TopView(ZoneOffset.UTC);

    TopViewTest() throws Exception {
        state = new ObjectMapper().readTree(STATE);
    }

    @Test
    void linesTellTheTierItsNodesAndStatements() {
        assertThat(String.join("\n", view.plain(state)))
                .contains("tier serving, epoch 4, as scheduler sees it")
                .contains("reads 2,131/s  commits 12.5/s")
                .contains("! something is wrong")
                .containsPattern("master +master +serving +1 +- +yes +99% +3")
                .containsPattern("slave-2 +slave +serving +2,100 +0 +no +- +-")
                .contains("backend db:3306 is current, 36 commits applied, 0 to apply")
                .containsPattern(" 9 +1.50  SELECT a");
    }

    @Test
    void linesAreNoWiderThanAHundredAndAPageFitsTheTerminal() {
        assertThat(view.plain(state)).allMatch(line -> line.length() <= 100);
        List<String> page = view.page(state, 24, 60);
        assertThat(page).hasSize(24).allMatch(line -> line.length() <= 60);
        assertThat(view.page(state, 5, 60)).hasSize(5);
        assertThat(page.getLast()).startsWith("q quit");
    }

    @Test
    void whatAStatementSaysDoesNotCommandTheTerminal() {
        assertThat(view.page(state, 30, 100)).noneMatch(line -> line.contains("\033"));
    }

    @Test
    void keysSortAndChooseStatementsAndLookAtOneNode() {
        assertThat(first()).contains("scheduler");
        view.press("r");
        assertThat(first()).contains("slave-2");
        view.press("l");
        assertThat(first()).contains("> slave-1");
        view.press("s");
        assertThat(String.join("\n", view.page(state, 40, 100))).contains("SELECT slow FROM t");
        view.press("b");
        assertThat(String.join("\n", view.page(state, 40, 100))).contains("[function F]");

        view.press("enter");
        assertThat(String.join("\n", view.page(state, 40, 100)))
                .containsPattern("name +slave-1")
                .containsPattern("version vector +\\{\"1\":7,\"2\":9}")
                .doesNotContain("slave-2");
        view.press("escape");
        view.press("down");
        assertThat(view.page(state, 40, 100)).anyMatch(line -> line.startsWith("> slave-2"));
        assertThat(view.press("q")).isFalse();
    }

    /// Of the nodes.
    private String first() {
        List<String> page = view.page(state, 40, 100);
        for (int i = 0; i < page.size(); i++) {
            if (page.get(i).contains("NODE")) {
                return page.get(i + 1);
            }
        }
        throw new AssertionError(page);
    }
}
