package org.quiredb.common.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ClassPatternsTest {
    @ParameterizedTest
    @CsvSource({
        "shop, item, shop",
        "shop, order_line, orders",
        "shop, ORDERS, orders",
        "shop, reorder, shop",
        "crm_1, customer, people",
        "crm_1, customers, default",
        "crm, anything, default",
        "Crm_2, anything, CRM_2",
        "log_2026, a_b_c, logs",
        "log_2026, a_b, default",
    })
    void aTableIsOfTheClassWhosePatternMatchesElseOfItsSchemasElseOfTheDefault(
            String schema, String table, String expected) {
        ClassPatterns patterns =
                of(
                        Map.of(
                                "orders", List.of("shop.order*"),
                                "people", List.of("crm_*.customer", "hr.*"),
                                "logs", List.of("log_*.a*b*c"),
                                "shop", List.of(),
                                "CRM_2", List.of(),
                                "default", List.of()));
        assertThat(patterns.classOf(schema, table).name()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop.order*", "*.orders", "s*p.*r*", "*.*", "SHOP.Orders"})
    void noTableCanBeOfTwoClasses(String other) {
        assertThatThrownBy(() -> of(Map.of("a", List.of("shop.o*s"), "b", List.of("x.y", other))))
                .hasMessageContaining("one conflict class only")
                .hasMessageContaining("a: shop.o*s")
                .hasMessageContaining("b: " + other.toLowerCase(java.util.Locale.ROOT));
        assertThatCode(() -> of(Map.of("a", List.of("shop.o*s", other))))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop.order*t", "shop.item*", "shop2.orders", "*2.*"})
    void whatNoNameMatchesTwiceIsAllowed(String other) {
        assertThatCode(() -> of(Map.of("a", List.of("shop.o*s"), "b", List.of(other))))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop", "shop.", ".item", "a.b.c", ""})
    void aPatternIsASchemaAndATable(String pattern) {
        assertThatThrownBy(() -> of(Map.of("a", List.of(pattern))))
                .hasMessage("class a: " + pattern + " is no pattern of the form schema.table");
    }

    @Test
    void theSamePatternsAreDescribedAlike() {
        assertThat(
                        of(Map.of(
                                        "b", List.of("x.*", "A.b"),
                                        "a", List.of("c.*"),
                                        "Shop", List.of(),
                                        "default", List.of()))
                                .described())
                .containsExactly("a: c.*", "b: a.b", "b: x.*", "default: all others", "shop: shop");
        assertThat(ClassPatterns.NONE.described()).containsExactly("default: all others");
    }

    private static ClassPatterns of(Map<String, List<String>> patterns) {
        return ClassPatterns.of(
                patterns.entrySet().stream()
                        .collect(
                                java.util.stream.Collectors.toMap(
                                        e -> new ConflictClass(e.getKey()), Map.Entry::getValue)));
    }
}
