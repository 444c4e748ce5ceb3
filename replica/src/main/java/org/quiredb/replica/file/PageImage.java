package org.quiredb.replica.file;

/// The bytes of a page, not to be written to, as they were after the commit with this number.
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PageImage(long commitNumber, byte[] bytes) {}
