/// What two modules of Quire really share, and nothing else: version vectors, conflict classes and
/// write sets, the MySQL packet codec, the framing of the RPC, cluster membership, configuration
/// and metrics. Every package below is one of these ideas; this one holds no class.
///
/// Arrows: every module but tpcw may depend on this one; it depends on none. JGroups is imported in
/// `org.quiredb.common.group` only, Netty in `org.quiredb.common.rpc` only.
@NullMarked
package org.quiredb.common;

import org.jspecify.annotations.NullMarked;
