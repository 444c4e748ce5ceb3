<?php
// Prepared calls, with parameters that take values.
[, $host, $port, $user, $password] = $argv;
mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
$m = new mysqli($host, $user, $password, '', (int) $port);
$m->query('CREATE DATABASE IF NOT EXISTS called CHARACTER SET utf8mb4');
$m->select_db('called');
$m->query('CREATE OR REPLACE TABLE t (id INT PRIMARY KEY, v VARCHAR(20))');
$m->query("INSERT INTO t VALUES (1, 'a'), (2, 'b')");
$m->query("CREATE OR REPLACE PROCEDURE types(IN a INT, OUT b VARCHAR(20), INOUT c DECIMAL(10,2), OUT d DATE, OUT e TINYINT UNSIGNED, OUT f DOUBLE, OUT g DATETIME(3), OUT h BIGINT, OUT i TEXT, OUT j BLOB, OUT k ENUM('a','b'), OUT l TIME, OUT n YEAR, OUT o FLOAT, OUT p CHAR(5) CHARSET latin1, OUT q INT) BEGIN SET b = 'xä', c = c + 1, d = '2020-01-02', e = 7, f = 1.5, g = '2020-01-02 03:04:05.678', h = a, i = 't', j = 'b', k = 'b', l = '10:00:00', n = 1999, o = 1.25, p = 'y'; SELECT b AS bb, a FROM t; SELECT v FROM t WHERE id = a; END");
$m->query('CREATE OR REPLACE PROCEDURE counts(OUT n INT) SELECT COUNT(*) INTO n FROM t');
$m->query("CREATE OR REPLACE PROCEDURE fails(OUT n INT) BEGIN SELECT id FROM t; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no'; END");

function show(mysqli_stmt $s): void
{
    do {
        $r = $s->get_result();
        if ($r === false) {
            echo "no rows, {$s->affected_rows} affected\n";
            continue;
        }
        foreach ($r->fetch_fields() as $f) {
            echo "{$f->db}.{$f->table}/{$f->orgtable} {$f->name}/{$f->orgname} type {$f->type} flags {$f->flags} decimals {$f->decimals} charset {$f->charsetnr}\n";
        }
        foreach ($r->fetch_all() as $row) {
            echo json_encode($row), "\n";
        }
    } while ($s->more_results() && $s->next_result());
}

$a = 1;
$c = '1.25';
$n = null;
$s = $m->prepare('CALL types(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
for ($i = 0; $i < 2; $i++) {
    $a = $i + 1;
    $s->bind_param('isssssssssssssss', $a, $n, $c, $n, $n, $n, $n, $n, $n, $n, $n, $n, $n, $n, $n, $n);
    $s->execute();
    show($s);
}
$s->close();
foreach (['CALL counts(?) -- the end', 'CALL called.counts( ? );', 'CALL fails(?)', 'CALL counts(? + 1)', 'CALL nowhere(?)', 'CALL counts(?, ?)'] as $sql) {
    echo "$sql\n";
    try {
        $s = $m->prepare($sql);
        $s->bind_param(str_repeat('i', $s->param_count), ...array_fill(0, $s->param_count, $a));
        $s->execute();
        show($s);
        $s->close();
    } catch (mysqli_sql_exception $e) {
        echo $e->getCode(), ' ', $e->getSqlState(), ' ', $e->getMessage(), "\n";
    }
}
$m->multi_query('CALL counts(@n); SELECT @n; CALL fails(@n); SELECT 1');
try {
    do {
        $r = $m->store_result();
        echo $r ? json_encode($r->fetch_all()) : "affected {$m->affected_rows}", "\n";
    } while ($m->more_results() && $m->next_result());
} catch (mysqli_sql_exception $e) {
    echo $e->getCode(), "\n";
}
$p = new PDO("mysql:host=$host;port=$port;dbname=called", $user, $password, [PDO::ATTR_EMULATE_PREPARES => false]);
$q = $p->prepare('CALL types(?, @b, @c, @d, @e, @f, @g, @h, @i, @j, @k, @l, @n, @o, @p, @q)');
$q->execute([2]);
do {
    echo json_encode($q->columnCount() ? $q->fetchAll(PDO::FETCH_NUM) : $q->rowCount()), "\n";
} while ($q->nextRowset());
$q->closeCursor();
echo json_encode($p->query('SELECT @b, @c, @d, @e, @g, @h, @k')->fetchAll(PDO::FETCH_NUM)), "\n";
