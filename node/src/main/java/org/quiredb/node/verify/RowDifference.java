package org.quiredb.node.verify;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.quiredb.common.message.RowDigest;
import org.quiredb.common.wire.ByteReader;

/// Which rows of one table two holders do not have in common.
///
/// For each key the digests of one side's rows are added and those of the other taken away; what is
/// left over differs. Rows come in any order, and a key without a unique index more than once. Only
/// one side's rows are ever in memory.
///
/// Threads: one.
final class RowDifference {
    private final Map<String, Long> leftOver = new HashMap<>();

    void expect(byte[] part) {
        digests(part).forEach(row -> add(row.key(), row.digest()));
    }

    void find(byte[] part) {
        digests(part).forEach(row -> add(row.key(), -row.digest()));
    }

    long size() {
        return leftOver.size();
    }

    List<String> firstKeys(int maximum) {
        return leftOver.keySet().stream().sorted().limit(maximum).toList();
    }

    List<String> keys() {
        return leftOver.keySet().stream().sorted().toList();
    }

    private void add(String key, long digest) {
        leftOver.merge(key, digest, (a, b) -> a + b == 0 ? null : a + b);
    }

    private static List<RowDigest> digests(byte[] part) {
        return new ByteReader(part).list(RowDigest::decode);
    }
}
