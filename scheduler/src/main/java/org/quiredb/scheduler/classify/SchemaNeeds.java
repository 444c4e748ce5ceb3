package org.quiredb.scheduler.classify;

import java.util.ArrayList;
import java.util.List;
import org.quiredb.scheduler.account.Need;
import org.quiredb.scheduler.account.Privilege;
import org.quiredb.sql.command.SchemaStatement;
import org.quiredb.sql.command.SchemaStatement.Action;
import org.quiredb.sql.command.SchemaStatement.Use;

/// The privileges that a DDL statement needs.
///
/// It is run by Quire's own account, so this is the only check. What is not understood is for
/// accounts with every privilege on everything.
final class SchemaNeeds {
    private SchemaNeeds() {}

    static List<Need> of(SchemaStatement statement) {
        if (!statement.understood()) {
            return Need.EVERYTHING;
        }
        List<Need> needs = new ArrayList<>();
        for (Use use : statement.uses()) {
            needs.add(Need.on(privilege(use.action()), use.table().database(), use.table().name()));
        }
        statement.query().ifPresent(query -> needs.addAll(StatementNeeds.of(query)));
        return List.copyOf(needs);
    }

    private static Privilege privilege(Action action) {
        return switch (action) {
            case CREATE -> Privilege.CREATE;
            case ALTER -> Privilege.ALTER;
            case DROP -> Privilege.DROP;
            case INDEX -> Privilege.INDEX;
            case REFERENCE -> Privilege.REFERENCES;
            case FILL -> Privilege.INSERT;
            case READ -> Privilege.SELECT;
        };
    }
}
