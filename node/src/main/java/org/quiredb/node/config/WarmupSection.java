package org.quiredb.node.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.quiredb.replica.warm.Warmup;

/// How a replica is kept warm while it is a spare, and keeps spares warm while it is active.
///
/// @param kind the same for every replica, unless they are to be compared
/// @param percent of the reads that go to each spare, by `query-share`
/// @param transactions after which an active replica tells spares which pages it used, by
///   `page-hints`
public record WarmupSection(
        @Default("page-hints") Kind kind,
        @Default("1") int percent,
        @Default("100") int transactions) {
    public enum Kind {
        @JsonProperty("query-share")
        QUERY_SHARE("query-share", Warmup.Kind.QUERY_SHARE),
        @JsonProperty("page-hints")
        PAGE_HINTS("page-hints", Warmup.Kind.PAGE_HINTS),
        @JsonProperty("cold")
        COLD("cold", Warmup.Kind.COLD);

        private final String text;
        private final Warmup.Kind meant;

        Kind(String text, Warmup.Kind meant) {
            this.text = text;
            this.meant = meant;
        }

        /// As in the file.
        @Override
        public String toString() {
            return text;
        }
    }

    public static final WarmupSection DEFAULT =
            new WarmupSection(Kind.PAGE_HINTS, Warmup.DEFAULT.percent(), Warmup.DEFAULT.reads());

    public WarmupSection {
        SectionChecks.between("replica.warmup.percent", percent, 1, 50);
        SectionChecks.between("replica.warmup.transactions", transactions, 1, 1_000_000);
    }

    public Warmup warmup() {
        return new Warmup(kind.meant, percent, transactions);
    }
}
