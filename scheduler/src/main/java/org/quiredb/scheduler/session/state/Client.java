package org.quiredb.scheduler.session.state;

import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.quiredb.scheduler.account.Login;

/// Whom the session is for.
///
/// @param id of its connection
/// @param login as whom it has come
/// @param address `host:port` of its end of the connection
/// @param foundRows affected rows are to be counted as rows found (CLIENT_FOUND_ROWS)
/// @param takesResults several of one statement (CLIENT_MULTI_RESULTS)
/// @param takesOutputs of a prepared CALL, too (CLIENT_PS_MULTI_RESULTS)
/// @param hangUp ends its connection; must not block
/// @param interactive it calls itself that
/// @param files one of the client's own by its name in the client's characters; null where it sends
///   none (CLIENT_LOCAL_FILES)
/// @param idledOut as hangUp, because of its silence; told whether the server is a MariaDB
public record Client(
        int id,
        Login login,
        String address,
        boolean foundRows,
        boolean takesResults,
        boolean takesOutputs,
        boolean interactive,
        @Nullable Function<byte[], ClientFile> files,
        Runnable hangUp,
        Consumer<Boolean> idledOut) {}
