package org.quiredb.node;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;

/// The arrows between modules and packages, the size of packages, the one place of each big
/// library, and the purity of what decides.
@Tag("architecture")
@AnalyzeClasses(packages = "org.quiredb", importOptions = ArchitectureTest.Program.class)
final class ArchitectureTest {
    /// No tests, whichever build compiled them, and nothing that only tests run.
    static final class Program implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/")
                    && !location.contains("/org/quiredb/simulation/");
        }
    }

    private static final String COMMON = "org.quiredb.common..";
    private static final String SQL = "org.quiredb.sql..";
    private static final String REPLICA = "org.quiredb.replica..";
    private static final String MASTER = "org.quiredb.master..";
    private static final String SCHEDULER = "org.quiredb.scheduler..";
    private static final String LOGGER = "org.quiredb.logger..";
    private static final String TPCW = "org.quiredb.tpcw..";
    private static final String NODE = "org.quiredb.node..";

    private static final String[] H2 = {"org.h2.."};
    private static final String[] JGROUPS = {"org.jgroups.."};
    private static final String[] NETTY = {"io.netty.."};
    private static final String[] JDBC = {"java.sql..", "javax.sql..", "com.mysql.."};
    private static final String[] EMBEDDED_SERVER = {"ch.vorburger.."};
    private static final String[] SQL_PARSER = {"com.alibaba.druid.."};

    /// Packages that hold decisions, perhaps with the thread that drives them, but no I/O.
    private static final String[] DECIDING = {
        "org.quiredb.master.lock..",
        "org.quiredb.master.commit..",
        "org.quiredb.scheduler.agree..",
        "org.quiredb.scheduler.route.."
    };

    /// The state machines themselves: messages and time in, messages out. A simulated cluster runs
    /// them. Each has to exist as soon as its package does.
    private static final Set<String> DECISIONS =
            Set.of(
                    "org.quiredb.master.lock.LockTable",
                    "org.quiredb.master.commit.CommitPath",
                    "org.quiredb.master.commit.CommitSequence",
                    "org.quiredb.master.commit.Inquiry",
                    "org.quiredb.master.commit.Mastery",
                    "org.quiredb.master.role.Accession",
                    "org.quiredb.master.role.Admission",
                    "org.quiredb.master.role.Remainder",
                    "org.quiredb.master.role.Role",
                    "org.quiredb.master.role.RoleEvents",
                    "org.quiredb.master.role.Wishes",
                    "org.quiredb.replica.service.ReadFence",
                    "org.quiredb.scheduler.agree.Agreement",
                    "org.quiredb.scheduler.agree.PeerAgreement",
                    "org.quiredb.scheduler.agree.Lease",
                    "org.quiredb.scheduler.replay.Attempts",
                    "org.quiredb.scheduler.replay.Ending",
                    "org.quiredb.scheduler.replay.Resumption",
                    "org.quiredb.scheduler.replay.Settlement",
                    "org.quiredb.scheduler.route.Losses",
                    "org.quiredb.scheduler.route.ReadAttempts",
                    "org.quiredb.scheduler.route.Router",
                    "org.quiredb.logger.apply.ApplierPosition",
                    "org.quiredb.logger.log.LogTail");

    /// More files than a package is to have.
    private static final int ROOM = 25;

    private static final DescribedPredicate<JavaClass> ARE_DECISIONS =
            describe("are decisions", type -> DECISIONS.contains(outermost(type).getName()));

    @ArchTest
    static final ArchRule commonUsesNoOtherModule =
            forbid(COMMON, SQL, REPLICA, MASTER, SCHEDULER, LOGGER, TPCW, NODE);

    @ArchTest
    static final ArchRule sqlUsesOnlyCommon =
            forbid(SQL, REPLICA, MASTER, SCHEDULER, LOGGER, TPCW, NODE);

    @ArchTest
    static final ArchRule replicaUsesOnlyCommonAndSql =
            forbid(REPLICA, MASTER, SCHEDULER, LOGGER, TPCW, NODE);

    @ArchTest
    static final ArchRule masterUsesOnlyCommonSqlAndReplica =
            forbid(MASTER, SCHEDULER, LOGGER, TPCW, NODE);

    @ArchTest
    static final ArchRule schedulerUsesOnlyCommonAndSql =
            forbid(SCHEDULER, REPLICA, MASTER, LOGGER, TPCW, NODE);

    @ArchTest
    static final ArchRule mastersReadNoText =
            forbid(
                    MASTER,
                    "org.quiredb.sql.text..",
                    "org.quiredb.sql.parse..",
                    "org.quiredb.sql.command..");

    @ArchTest
    static final ArchRule loggerUsesOnlyCommon =
            forbid(LOGGER, SQL, REPLICA, MASTER, SCHEDULER, TPCW, NODE);

    @ArchTest
    static final ArchRule bookstoreKnowsNothingOfQuire =
            forbid(TPCW, COMMON, SQL, REPLICA, MASTER, SCHEDULER, LOGGER, NODE);

    @ArchTest
    static final ArchRule h2HasOnePlace =
            confine(H2, "org.quiredb.replica.h2..", "org.quiredb.replica.file..");

    @ArchTest
    static final ArchRule jgroupsHasOnePlace = confine(JGROUPS, "org.quiredb.common.group..");

    @ArchTest
    static final ArchRule nettyStaysOnTheWires =
            confine(
                    NETTY,
                    "org.quiredb.common.socket..",
                    "org.quiredb.common.rpc..",
                    "org.quiredb.scheduler.endpoint..");

    /// What runs H2 in a replica connects to nothing beyond its process, but H2's own interface
    /// throws SQLException and gives its sessions by java.sql.
    @ArchTest
    static final ArchRule jdbcStaysWithTheBackend =
            confine(
                    JDBC,
                    LOGGER,
                    TPCW,
                    "org.quiredb.scheduler.fallback..",
                    "org.quiredb.replica.h2..",
                    NODE);

    @ArchTest static final ArchRule embeddedServerBelongsToTheNode = confine(EMBEDDED_SERVER, NODE);

    @ArchTest
    static final ArchRule sqlParserHasOnePlace = confine(SQL_PARSER, "org.quiredb.sql.parse..");

    @ArchTest
    static final ArchRule decidingPackagesDoNoInputOrOutput =
            noClasses()
                    .that()
                    .resideInAnyPackage(DECIDING)
                    .should()
                    .dependOnClassesThat(inputOrOutput())
                    .allowEmptyShould(true);

    @ArchTest
    static final ArchRule decisionsKnowNoThreadAndNoClock =
            noClasses()
                    .that(ARE_DECISIONS)
                    .should()
                    .dependOnClassesThat(inputOrOutput())
                    .orShould()
                    .dependOnClassesThat(threads())
                    .orShould()
                    .dependOnClassesThat()
                    .areAssignableTo(Clock.class)
                    .orShould()
                    .callMethod(System.class, "nanoTime")
                    .orShould()
                    .callMethod(System.class, "currentTimeMillis")
                    .allowEmptyShould(true);

    @ArchTest
    static void everyDecisionIsWhereItIsSaidToBe(JavaClasses classes) {
        List<String> missing =
                DECISIONS.stream()
                        .filter(name -> packageHasClasses(classes, name))
                        .filter(name -> !classes.contain(name))
                        .toList();

        assertThat(missing).as("decisions that were moved or renamed").isEmpty();
    }

    @ArchTest
    static void noPackageIsCrowded(JavaClasses classes) {
        Map<String, Long> files =
                classes.stream()
                        .filter(JavaClass::isTopLevelClass)
                        .filter(type -> !type.getSimpleName().equals("package-info"))
                        .collect(groupingBy(JavaClass::getPackageName, counting()));
        files.values().removeIf(count -> count <= ROOM);

        assertThat(files).as("packages of more than %d files", ROOM).isEmpty();
    }

    @ArchTest
    static void noPackagesDependOnOneAnotherInACircle(JavaClasses classes) {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass type : classes) {
            Set<String> used = uses.computeIfAbsent(type.getPackageName(), p -> new TreeSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                used.add(dependency.getTargetClass().getBaseComponentType().getPackageName());
            }
        }
        uses.forEach((from, used) -> used.remove(from));
        Set<String> circling =
                uses.keySet().stream()
                        .filter(name -> reached(name, uses).contains(name))
                        .collect(toCollection(TreeSet::new));

        assertThat(circling).as("packages that depend on one another in a circle").isEmpty();
    }

    private static Set<String> reached(String from, Map<String, Set<String>> uses) {
        Set<String> reached = new HashSet<>();
        Deque<String> next = new ArrayDeque<>(uses.get(from));
        while (!next.isEmpty()) {
            String name = next.pop();
            if (reached.add(name)) {
                next.addAll(uses.getOrDefault(name, Set.of()));
            }
        }
        return reached;
    }

    private static boolean packageHasClasses(JavaClasses classes, String className) {
        String packageName = className.substring(0, className.lastIndexOf('.'));
        return classes.stream().anyMatch(type -> type.getPackageName().equals(packageName));
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(ArchitectureTest::outermost).orElse(type);
    }

    private static ArchRule forbid(String from, String... to) {
        return noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(to);
    }

    private static ArchRule confine(String[] library, String... places) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(places)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(library);
    }

    private static DescribedPredicate<JavaClass> inputOrOutput() {
        return resideInAnyPackage(NETTY)
                .or(resideInAnyPackage(JGROUPS))
                .or(resideInAnyPackage(H2))
                .or(resideInAnyPackage(JDBC))
                .or(
                        resideInAnyPackage(
                                "java.io..",
                                "java.net..",
                                "java.nio.file..",
                                "java.nio.channels.."))
                .as("do input or output");
    }

    private static DescribedPredicate<JavaClass> threads() {
        return resideInAPackage("java.util.concurrent..")
                .and(describe("are not a unit", type -> !type.getSimpleName().equals("TimeUnit")))
                .or(describe("are threads", type -> type.isAssignableTo(Thread.class)))
                .as("belong to threads");
    }
}
