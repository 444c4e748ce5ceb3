package org.quiredb.master.role;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.quiredb.common.version.ConflictClass;
import org.quiredb.common.version.VersionVector;
import org.quiredb.common.writeset.WriteSet;
import org.quiredb.master.commit.MasteredClasses;

/// A master of one class, at its fifth commit, that others have received or not.
final class OwnClass implements MasteredClasses {
    static final ConflictClass SHOP = new ConflictClass("shop");

    boolean served = true;
    boolean allLogged = true;
    Set<String> behind = Set.of();

    @Override
    public boolean holds(ConflictClass conflictClass) {
        return conflictClass.equals(SHOP);
    }

    @Override
    public OptionalLong served(ConflictClass conflictClass) {
        return served && holds(conflictClass) ? OptionalLong.of(1) : OptionalLong.empty();
    }

    @Override
    public Set<String> inSync() {
        return Set.of("other");
    }

    @Override
    public Map<ConflictClass, Long> multicast() {
        return Map.of(SHOP, 5L);
    }

    @Override
    public Set<String> behind(Map<ConflictClass, Long> positions) {
        return behind;
    }

    @Override
    public boolean isAllLogged(ConflictClass conflictClass) {
        return allLogged;
    }

    @Override
    public void takeOver(
            ConflictClass conflictClass, long last, long logEnd, List<WriteSet> unlogged) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void receive(ConflictClass conflictClass, long last) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void loaded(VersionVector vector) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void serve(ConflictClass conflictClass) {
        throw new UnsupportedOperationException();
    }
}
