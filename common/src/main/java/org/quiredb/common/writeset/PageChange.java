package org.quiredb.common.writeset;

/// What a transaction did to one page: the page's id and its byte operations, in the form of {@link
/// PageOperations}.
@SuppressWarnings("ArrayRecordComponent") // owned by its write set, never changed
public record PageChange(long pageId, byte[] operations) {}
