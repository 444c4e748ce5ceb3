package org.quiredb.scheduler.classify;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import net.sf.jsqlparser.expression.AnalyticExpression;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.ExtractExpression;
import net.sf.jsqlparser.expression.Function;
import net.sf.jsqlparser.expression.IntervalExpression;
import net.sf.jsqlparser.expression.JsonExpression;
import net.sf.jsqlparser.expression.JsonFunction;
import net.sf.jsqlparser.expression.MySQLGroupConcat;
import net.sf.jsqlparser.expression.TimeKeyExpression;
import net.sf.jsqlparser.expression.TranscodingFunction;
import net.sf.jsqlparser.expression.TrimFunction;
import net.sf.jsqlparser.expression.UserVariable;
import net.sf.jsqlparser.expression.VariableAssignment;
import net.sf.jsqlparser.expression.operators.arithmetic.BitwiseXor;
import net.sf.jsqlparser.expression.operators.arithmetic.Concat;
import net.sf.jsqlparser.expression.operators.arithmetic.Division;
import net.sf.jsqlparser.expression.operators.arithmetic.IntegerDivision;
import net.sf.jsqlparser.expression.operators.arithmetic.Modulo;
import net.sf.jsqlparser.expression.operators.conditional.XorExpression;
import net.sf.jsqlparser.expression.operators.relational.FullTextSearch;
import net.sf.jsqlparser.expression.operators.relational.LikeExpression;
import net.sf.jsqlparser.expression.operators.relational.RegExpMatchOperator;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.WithItem;
import net.sf.jsqlparser.util.TablesNamesFinder;
import org.quiredb.common.sql.Functions;

/// Walks a parsed statement and notes its tables and whatever H2 would not compute exactly as MySQL
/// does.
///
/// A function that both do not compute alike ({@link Functions}) costs a detour to the backend,
/// never a wrong answer.
///
/// Threads: one.
final class Survey extends TablesNamesFinder<Void> {
    private static final Set<String> SYSTEM =
            Set.of("information_schema", "mysql", "performance_schema", "sys");

    private final Set<TableName> tables = new LinkedHashSet<>();
    private final Set<String> common = new HashSet<>();
    private boolean locking;
    private boolean systemTables;
    private String backendReason = "";

    private Survey() {
        init(true);
    }

    static Survey of(Statement statement) {
        Survey survey = new Survey();
        survey.getTables(statement);
        survey.tables.removeIf(t ->
                t.database().isEmpty()
                        && survey.common.contains(t.name().toLowerCase(Locale.ROOT)));
        return survey;
    }

    Set<TableName> tables() {
        return Set.copyOf(tables);
    }

    boolean locking() {
        return locking;
    }

    boolean systemTables() {
        return systemTables;
    }

    String backendReason() {
        return backendReason;
    }

    private void onlyBackend(String reason) {
        if (backendReason.isEmpty()) {
            backendReason = reason;
        }
    }

    @Override
    public <S> Void visit(Table table, S context) {
        String name = plain(table.getName());
        String database = table.getSchemaName() == null ? "" : plain(table.getSchemaName());
        if (SYSTEM.contains(database.toLowerCase(Locale.ROOT))) {
            systemTables = true;
        } else if (!(database.isEmpty() && name.equalsIgnoreCase("dual"))) {
            tables.add(new TableName(database, name));
        }
        return super.visit(table, context);
    }

    private static String plain(String name) {
        return name.length() > 1 && name.charAt(0) == '`'
                ? name.substring(1, name.length() - 1).replace("``", "`")
                : name;
    }

    @Override
    public <S> Void visit(WithItem<?> item, S context) {
        common.add(plain(item.getUnquotedAliasName()).toLowerCase(Locale.ROOT));
        onlyBackend("WITH");
        return super.visit(item, context);
    }

    @Override
    public <S> Void visit(PlainSelect select, S context) {
        locking |= select.getForMode() != null;
        if (select.getIntoTables() != null || select.getMySqlSelectIntoClause() != null) {
            onlyBackend("SELECT INTO");
        }
        return super.visit(select, context);
    }

    @Override
    public <S> Void visit(Function function, S context) {
        if (!Functions.sameEverywhere(function.getName())) {
            onlyBackend("function " + function.getName());
        }
        return super.visit(function, context);
    }

    @Override
    public <S> Void visit(AnalyticExpression expression, S context) {
        onlyBackend("window function");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(CastExpression expression, S context) {
        onlyBackend("CAST");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(ExtractExpression expression, S context) {
        onlyBackend("EXTRACT");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(IntervalExpression expression, S context) {
        onlyBackend("INTERVAL");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(JsonExpression expression, S context) {
        onlyBackend("JSON");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(JsonFunction expression, S context) {
        onlyBackend("JSON");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(MySQLGroupConcat expression, S context) {
        onlyBackend("GROUP_CONCAT");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(TimeKeyExpression expression, S context) {
        onlyBackend("the current time");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(TranscodingFunction expression, S context) {
        onlyBackend("CONVERT");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(TrimFunction expression, S context) {
        onlyBackend("TRIM");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(UserVariable expression, S context) {
        onlyBackend("user variable");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(VariableAssignment expression, S context) {
        onlyBackend("user variable");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(BitwiseXor expression, S context) {
        onlyBackend("operator ^");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(Concat expression, S context) {
        onlyBackend("operator ||");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(Division expression, S context) {
        onlyBackend("operator /");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(IntegerDivision expression, S context) {
        onlyBackend("DIV");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(Modulo expression, S context) {
        onlyBackend("operator %");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(XorExpression expression, S context) {
        onlyBackend("XOR");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(FullTextSearch expression, S context) {
        onlyBackend("MATCH");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(RegExpMatchOperator expression, S context) {
        onlyBackend("REGEXP");
        return super.visit(expression, context);
    }

    @Override
    public <S> Void visit(LikeExpression expression, S context) {
        if (expression.getLikeKeyWord() != LikeExpression.KeyWord.LIKE) {
            onlyBackend(expression.getLikeKeyWord().name());
        }
        return super.visit(expression, context);
    }
}
