package org.quiredb.tpcw.interaction;

/// What a search looks at.
public enum SearchType {
    AUTHOR,
    TITLE,
    SUBJECT
}
