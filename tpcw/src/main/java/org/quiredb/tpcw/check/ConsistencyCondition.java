package org.quiredb.tpcw.check;

/// Something that must hold, and the statement that counts where it does not.
record ConsistencyCondition(String name, String countViolations) {}
