package org.quiredb.replica.page;

/// A table is younger than the tag at which it is read: a schema change has put it in the place of
/// another.
public final class TableChangedException extends VersionReclaimedException {
    private static final long serialVersionUID = 1;

    TableChangedException(long pageId, long commitNumber) {
        super(pageId, commitNumber);
    }
}
