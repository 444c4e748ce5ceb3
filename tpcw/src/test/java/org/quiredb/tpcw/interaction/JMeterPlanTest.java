package org.quiredb.tpcw.interaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// Holds jmeter/plan/bookstore.jmx to the interactions, which it repeats for JMeter.
final class JMeterPlanTest {

    private static final Path ROOT = Path.of(System.getProperty("quire.root", ".."));

    /// What JMeter asks and a program finds out otherwise: sizes, countries, generated keys.
    private static final List<String> OF_THE_PLAN =
            List.of(
                    "SELECT COUNT(*) FROM item",
                    "SELECT COUNT(*) FROM customer",
                    "SELECT co_name FROM country ORDER BY co_id",
                    "SELECT LAST_INSERT_ID()");

    @Test
    void theJmeterPlanHasEachOfTheFourteenPages() throws Exception {
        assertThat(names(plan(), "TransactionController"))
                .containsAll(Arrays.stream(InteractionType.values()).map(Enum::name).toList());
    }

    @Test
    void theJmeterPlanSendsTheSameStatementsAsTheInteractions() throws Exception {
        String interactions = sources();
        List<String> statements =
                elements(plan(), "stringProp")
                        .filter(property -> property.getAttribute("name").equals("query"))
                        .map(property -> oneLine(property.getTextContent()))
                        .filter(statement -> !statement.isEmpty())
                        .distinct()
                        .toList();

        assertThat(statements).hasSizeGreaterThan(30);
        assertThat(statements)
                .filteredOn(statement -> !OF_THE_PLAN.contains(statement))
                .allSatisfy(statement -> assertThat(interactions).contains(statement));
    }

    private static Document plan() throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(ROOT.resolve("jmeter/plan/bookstore.jmx").toFile());
    }

    private static List<String> names(Document plan, String tag) {
        return elements(plan, tag).map(element -> element.getAttribute("testname")).toList();
    }

    private static Stream<Element> elements(Document plan, String tag) {
        NodeList found = plan.getElementsByTagName(tag);
        return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i));
    }

    /// The sources of the interactions, with line ends and what they would escape taken out.
    private static String sources() throws IOException {
        var text = new StringBuilder();
        for (String part : List.of("interaction", "purchase")) {
            Path folder = ROOT.resolve("tpcw/src/main/java/org/quiredb/tpcw").resolve(part);
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.sorted().toList()) {
                    text.append(Files.readString(file).replace("\\\n", "\n"));
                }
            }
        }
        return oneLine(text.toString());
    }

    /// Without what differs by intent: the condition of a search, and the rows of an order.
    private static String oneLine(String text) {
        return text.replace("${condition}", "%s")
                .replace("${orderLineRows}", "")
                .replaceAll("\\s+", " ")
                .strip();
    }
}
