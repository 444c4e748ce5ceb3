package org.quiredb.node.measure;

/// The systems whose throughput is compared.
enum Rival {
    SERIALISABLE("InnoDB serialisable", "innodbSerialisable"),
    READ_COMMITTED("InnoDB read committed", "innodbReadCommitted"),
    QUIRE("Quire", "quire");

    private final String title;
    private final String key;

    Rival(String title, String key) {
        this.title = title;
        this.key = key;
    }

    String title() {
        return title;
    }

    /// In JSON.
    String key() {
        return key;
    }
}
