package org.quiredb.replica.page;

import org.quiredb.common.version.PageId;

/// A reader asks for a version below the low watermark, which is gone: it must begin again with a
/// newer tag.
public sealed class VersionReclaimedException extends RuntimeException
        permits TableChangedException {
    private static final long serialVersionUID = 1;

    VersionReclaimedException(long pageId, long commitNumber) {
        super(
                "page "
                        + PageId.toString(pageId)
                        + " is gone at "
                        + commitNumber
                        + ", read with a newer tag");
    }
}
