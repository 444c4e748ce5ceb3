/// Rows and index entries as bytes on pages: slotted row pages and B-link trees, both over {@link
/// org.quiredb.replica.page.PageAccess}, so that the same code runs at a tag, in an update
/// transaction and in a load.
///
/// Every page has the layout of `SlottedPage`. Trees follow Lehman and Yao: each tree page carries
/// a high key, below which its entries lie, and the number of its right neighbour, so that a search
/// that comes by an outdated inner page still arrives, by moving right. Pages never merge and a
/// page's lower bound never changes.
@NullMarked
package org.quiredb.replica.tree;

import org.jspecify.annotations.NullMarked;
