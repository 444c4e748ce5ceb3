package org.quiredb.logger;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.quiredb.common.message.NodeStatus.Figure;
import org.quiredb.logger.apply.Applier;
import org.quiredb.logger.backend.Backend;
import org.quiredb.logger.backend.Backends;
import org.quiredb.logger.set.BackendState;

/// What a logger's status tells of each backend, in the order of the configuration.
final class BackendFigures {
    private BackendFigures() {}

    static List<Figure> of(
            Backends backends,
            List<LoggedClass> classes,
            Function<Backend, BackendState> standings) {
        List<Figure> figures = new ArrayList<>();
        for (Backend backend : backends.all()) {
            List<Applier> appliers =
                    classes.stream()
                            .flatMap(logged -> logged.appliers().stream())
                            .filter(applier -> applier.backend().equals(backend))
                            .toList();
            figures.add(
                    new Figure(
                            "backend.standing." + backend.name(),
                            standings.apply(backend).number()));
            figures.add(
                    new Figure(
                            "backend.applied." + backend.name(),
                            appliers.stream().mapToLong(Applier::applied).sum()));
            figures.add(
                    new Figure(
                            "backend.backlog." + backend.name(),
                            appliers.stream().mapToLong(Applier::backlog).sum()));
            figures.add(
                    new Figure(
                            "backend.repaired." + backend.name(),
                            appliers.stream().mapToLong(Applier::repaired).sum()));
            figures.add(
                    new Figure(
                            "backend.owed." + backend.name(),
                            appliers.stream().mapToLong(Applier::owed).sum()));
        }
        return figures;
    }
}
