<?php
// Create, read, update and delete through mysqli and PDO: not prepared, prepared in the client and prepared in the server.
// Usage: php crud.php HOST PORT USER PASSWORD   -- prints the same against Quire and against MariaDB.
declare(strict_types=1);

if ($argc !== 5) {
    fwrite(STDERR, "usage: php crud.php HOST PORT USER PASSWORD\n");
    exit(2);
}
[, $host, $port, $user, $password] = $argv;

const TABLE = 'CREATE TABLE note (id INT AUTO_INCREMENT PRIMARY KEY, title VARCHAR(60) NOT NULL, price DECIMAL(10,2), '
    . 'made DATETIME, day DATE, seen INT UNSIGNED NOT NULL DEFAULT 0, big BIGINT UNSIGNED, small TINYINT, rate DOUBLE, '
    . 'body TEXT, raw BLOB, UNIQUE KEY title_once (title), KEY made_when (made)) DEFAULT CHARSET = utf8mb4';

// Selected the same way by every client.
const SELECTS = [
    'SELECT * FROM note ORDER BY id',
    'SELECT id, title AS name, price * 2 AS doubled FROM note WHERE price IS NOT NULL ORDER BY price DESC, id LIMIT 2',
    'SELECT n.id, t.word FROM note n JOIN tag t ON t.note = n.id ORDER BY n.id, t.word',
    'SELECT n.id, t.word FROM note n LEFT JOIN tag t ON t.note = n.id AND t.word LIKE \'b%\' ORDER BY n.id, t.word',
    'SELECT t.word, COUNT(*), MIN(n.price), MAX(n.made) FROM note n, tag t WHERE t.note = n.id GROUP BY t.word ORDER BY t.word',
    'SELECT COUNT(*), COUNT(price), SUM(price), AVG(price) FROM note',
    'SELECT word, COUNT(*) AS uses FROM tag GROUP BY word HAVING COUNT(*) > 1 ORDER BY uses DESC, word',
    'SELECT DISTINCT word FROM tag ORDER BY word DESC LIMIT 1, 2',
    'SELECT id FROM note WHERE id IN (1, 3, 99) OR title = \'zürich\' ORDER BY id',
    'SELECT id FROM note WHERE made BETWEEN \'2026-01-01\' AND \'2026-03-01\' ORDER BY id',
    'SELECT id FROM note WHERE title LIKE \'%IT\\\'S%\'',
    'SELECT id FROM note WHERE id IN (SELECT note FROM tag WHERE word = \'blue\') ORDER BY id',
    'SELECT id FROM note WHERE NOT EXISTS (SELECT 1 FROM tag WHERE tag.note = note.id) ORDER BY id',
    'SELECT CONCAT(title, \'-\', id), UPPER(title), LENGTH(title), CHAR_LENGTH(title), SUBSTRING(title, 2, 3) FROM note ORDER BY id',
    'SELECT YEAR(made), MONTH(made), DATE_FORMAT(made, \'%d.%m.%Y %H:%i\'), DATE(made), DATEDIFF(made, \'2026-01-01\') FROM note ORDER BY id',
    'SELECT DATE_ADD(day, INTERVAL 1 MONTH), UNIX_TIMESTAMP(\'2026-01-02 03:04:05\') FROM note WHERE day IS NOT NULL',
    'SELECT IFNULL(price, 0), COALESCE(body, title), IF(price > 5, \'dear\', \'cheap\'), CASE WHEN id = 1 THEN \'first\' ELSE \'later\' END FROM note ORDER BY id',
    'SELECT id FROM note WHERE id = 1 UNION SELECT note FROM tag WHERE note = 2 ORDER BY 1',
    'SELECT GROUP_CONCAT(word ORDER BY word SEPARATOR \'|\') FROM tag',
    'SELECT big, seen, small, small + 1 FROM note WHERE id = 1',
    'SELECT HEX(raw), raw FROM note WHERE raw IS NOT NULL ORDER BY id',
    'SELECT 1, 1 + 1, \'text\', NULL, 1.50, 1e3, TRUE, 7 / 2, 7 DIV 2, 7 % 2',
    'SELECT DATABASE(), @@autocommit, @@session.sql_mode',
    'SHOW TABLES',
    'SHOW COLUMNS FROM note',
    'SELECT index_name, column_name FROM information_schema.statistics WHERE table_schema = \'crud_php\' AND table_name = \'note\' ORDER BY 1, 2',
    'DESCRIBE tag',
    'SHOW CREATE TABLE tag',
    'SHOW VARIABLES LIKE \'sql_mode\'',
    'SELECT table_name, engine FROM information_schema.tables WHERE table_schema = \'crud_php\' ORDER BY table_name',
    'SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE table_schema = \'crud_php\' AND table_name = \'tag\' ORDER BY ordinal_position',
];

const MISTAKES = [
    'INSERT INTO note (title) VALUES (\'plain\')',
    'SELECT * FROM nowhere',
    'SELECT nothing FROM note',
    'INSERT INTO nowhere VALUES (1)',
    'INSERT INTO note (nothing) VALUES (1)',
    'UPDATE note SET nothing = 1',
    'DELETE FROM nowhere',
    'SELEC 1',
    'SELECT FROM note WHERE',
    'INSERT INTO tag (note, word) VALUES (NULL, \'none\')',
    'INSERT INTO note (title, price) VALUES (\'one\')',
    'INSERT INTO tag (note, word) VALUES (99, \'orphan\')',
    'DELETE FROM note WHERE id = 1',
    'CREATE TABLE note (id INT)',
    'DROP TABLE nowhere',
    'USE nowhere',
    'SELECT id FROM note, tag WHERE note = id AND made = nothing.made',
    'SELECT note FROM tag t JOIN tag u ON t.word = u.word',
];

function show(string $title, array $value): void
{
    array_walk_recursive($value, function (&$v) {
        if (is_string($v) && !mb_check_utf8($v)) {
            $v = 'bytes ' . bin2hex($v);
        }
    });
    echo $title, ': ', json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION), "\n";
}

function mb_check_utf8(string $text): bool
{
    return preg_match('//u', $text) === 1;
}

function connect(string $host, int $port, string $user, string $password, string $database): mysqli
{
    mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
    $db = new mysqli($host, $user, $password, $database, $port);
    $db->set_charset('utf8mb4');
    return $db;
}

function prepare_schema(mysqli $db): void
{
    $db->query('DROP DATABASE IF EXISTS crud_php');
    $db->query('CREATE DATABASE crud_php DEFAULT CHARACTER SET utf8mb4');
    $db->select_db('crud_php');
    $db->query(TABLE);
    $db->query('CREATE TABLE tag (note INT NOT NULL, word VARCHAR(20) NOT NULL DEFAULT \'none\', PRIMARY KEY (note, word), '
        . 'CONSTRAINT of_note FOREIGN KEY (note) REFERENCES note (id)) DEFAULT CHARSET = utf8mb4');
}

function fill(mysqli $db): void
{
    $title = $db->real_escape_string("it's a \\ \"test\"");
    $raw = $db->real_escape_string("\0\1'\\\n\xff");
    $db->query("INSERT INTO note (title, price, made, day, seen, big, small, rate, body, raw) VALUES ('$title', 19.90, "
        . "'2026-01-02 03:04:05', '2026-01-31', 4294967295, 18446744073709551615, -128, 1.5, 'line\\none', '$raw')");
    echo "insert id: $db->insert_id, affected: $db->affected_rows, info: $db->info\n";
    $insert = $db->prepare('INSERT INTO note (title, price, made, day, rate, body) VALUES (?, ?, ?, ?, ?, ?)');
    $rows = [
        ['Zürich', 1.5, null, null, 0.1, 'größer'],
        ['plain', null, '2026-05-06 00:00:00', '2024-02-29', null, null],
        ['smile 😀', 0.0, '2026-02-28 23:59:59', null, -1e100, '😀'],
    ];
    foreach ($rows as [$title, $price, $made, $day, $rate, $body]) {
        $insert->bind_param('sdssds', $title, $price, $made, $day, $rate, $body);
        $insert->execute();
        echo "prepared insert id: $insert->insert_id, affected: $insert->affected_rows\n";
    }
    $db->query("INSERT INTO tag VALUES (1, 'red'), (1, 'blue'), (2, 'blue'), (4, 'black')");
    echo "several: $db->affected_rows\n";
}

function fields(array $fields): array
{
    return array_map(fn ($f) => "$f->db.$f->table.$f->orgtable $f->name type $f->type decimals $f->decimals charset $f->charsetnr"
        . ($f->orgtable === '' ? '' : " from $f->orgname") . ($f->flags & MYSQLI_UNSIGNED_FLAG ? ' unsigned' : ''),
        $fields);
}

function select_all(mysqli $db): void
{
    foreach (SELECTS as $sql) {
        echo "-- $sql\n";
        $result = $db->query($sql);
        show('fields', fields($result->fetch_fields()));
        show('text', $result->fetch_all());
        $statement = $db->prepare($sql);
        $statement->execute();
        show('binary', $statement->get_result()->fetch_all());
    }
}

function make_mistakes(mysqli $db): void
{
    foreach (MISTAKES as $sql) {
        try {
            $db->query($sql);
            echo "no mistake: $sql\n";
        } catch (mysqli_sql_exception $e) {
            echo $sql, ': ', $e->getCode(), ' ', $e->getSqlState(), "\n";
        }
        show('goes on', $db->query('SELECT COUNT(*) FROM note')->fetch_all());
    }
}

function change(mysqli $db): void
{
    $changes = [
        "UPDATE note SET price = price + 1 WHERE title = 'PLAIN' OR id = 1",
        'UPDATE note SET price = 20.90 WHERE id = 1',
        'UPDATE note SET seen = seen + 1 WHERE id BETWEEN 2 AND 3',
        "INSERT IGNORE INTO tag (note, word) VALUES (1, 'red'), (3, 'ignored')",
        "INSERT INTO note (id, title, seen) VALUES (1, 'twice', 5) ON DUPLICATE KEY UPDATE seen = 10",
        "REPLACE INTO tag (note, word) VALUES (3, 'other'), (2, 'new')",
        "INSERT INTO note (title) VALUES ('last')",
        "INSERT INTO tag (note, word) SELECT id, 'copied' FROM note WHERE id < 3",
        'DELETE FROM note WHERE id > 4',
        'DELETE FROM note WHERE id = 1000',
    ];
    foreach ($changes as $sql) {
        $db->query($sql);
        echo "$sql: affected $db->affected_rows, insert id $db->insert_id\n";
    }
    show('last', $db->query('SELECT LAST_INSERT_ID()')->fetch_row());
}

function transactions(mysqli $db): void
{
    $count = fn () => $db->query('SELECT COUNT(*), SUM(price) AS total FROM note')->fetch_row();
    $db->begin_transaction();
    $db->query('UPDATE note SET price = 7');
    show('inside', $count());
    $db->rollback();
    show('after rollback', $count());
    $db->autocommit(false);
    $db->query("INSERT INTO note (title, price) VALUES ('kept', 3)");
    $db->commit();
    $db->query('DELETE FROM tag');
    $db->rollback();
    $db->autocommit(true);
    show('after commit', $count());
    show('tags', $db->query('SELECT COUNT(*) FROM tag')->fetch_row());
    $db->begin_transaction(MYSQLI_TRANS_START_READ_ONLY);
    show('read only', $count());
    try {
        $db->query('DELETE FROM note');
    } catch (mysqli_sql_exception $e) {
        echo 'read only: ', $e->getCode(), "\n";
    }
    $db->commit();
    $db->query('START TRANSACTION');
    $db->query("INSERT INTO note (title) VALUES ('before savepoint')");
    $db->savepoint('here');
    $db->query("INSERT INTO note (title) VALUES ('after savepoint')");
    $db->query('UPDATE note SET seen = 9 WHERE title = \'before savepoint\'');
    show('before rollback to', $count());
    $db->query('ROLLBACK TO SAVEPOINT here');
    show('after rollback to', $db->query('SELECT title, seen FROM note ORDER BY id')->fetch_all());
    $db->query('RELEASE SAVEPOINT here');
    try {
        $db->query('ROLLBACK TO here');
    } catch (mysqli_sql_exception $e) {
        echo 'no savepoint: ', $e->getCode(), "\n";
    }
    $db->commit();
    show('titles', $db->query('SELECT title FROM note ORDER BY title')->fetch_all());
}

function session(mysqli $db, string $user, string $password): void
{
    $db->query('SET @a = 41, @b = \'text\'');
    show('user variables', $db->query('SELECT @a + 1, @b, @none')->fetch_all());
    $db->query('SET SESSION sql_mode = \'\'');
    show('sql mode', $db->query('SELECT @@sql_mode')->fetch_all());
    $db->query('SET time_zone = \'+00:00\'');
    show('time zone', $db->query('SELECT @@time_zone, FROM_UNIXTIME(0)')->fetch_all());
    $db->query('SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci');
    show('ping', $db->query('/* ping */ SELECT 1')->fetch_all());
    $db->multi_query('SELECT 1; SELECT COUNT(*) FROM note; SET @c = 3; SELECT @c, \';\'');
    do {
        if ($result = $db->store_result()) {
            show('multi', $result->fetch_all());
        }
    } while ($db->more_results() && $db->next_result());
    echo 'rows: ', $db->query('SELECT id FROM note LIMIT 2')->num_rows, "\n";
    echo 'escaped: ', $db->real_escape_string("a'b\"c\\d\ne\0f"), "\n";
    echo 'character set: ', $db->character_set_name(), "\n";
    $unbuffered = $db->query('SELECT id FROM note ORDER BY id', MYSQLI_USE_RESULT);
    show('unbuffered', $unbuffered->fetch_row());
    $unbuffered->free();
    $db->change_user($user, $password, 'crud_php');
    show('changed user', $db->query('SELECT DATABASE(), @a')->fetch_all());
    try {
        $db->query('KILL ' . $db->thread_id);
        $db->query('SELECT 1');
    } catch (mysqli_sql_exception $e) {
        echo "killed\n";
    }
}

function with_mysqli(string $host, int $port, string $user, string $password): void
{
    $db = connect($host, $port, $user, $password, '');
    prepare_schema($db);
    fill($db);
    select_all($db);
    make_mistakes($db);
    change($db);
    transactions($db);
    session($db, $user, $password);
}

function wrong_connections(string $host, int $port, string $user, string $password): void
{
    foreach ([[$user, 'wrong', 'crud_php'], ['nobody', $password, ''], [$user, $password, 'nowhere']] as [$name, $secret, $database]) {
        try {
            connect($host, $port, $name, $secret, $database);
            echo "connected\n";
        } catch (mysqli_sql_exception $e) {
            echo 'not connected: ', $e->getCode(), "\n";
        }
    }
}

function with_pdo(string $host, int $port, string $user, string $password, bool $emulate): void
{
    $db = new PDO("mysql:host=$host;port=$port;dbname=crud_php;charset=utf8mb4", $user, $password, [
        PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
        PDO::ATTR_EMULATE_PREPARES => $emulate,
        PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC,
    ]);
    $kind = $emulate ? 'emulated' : 'prepared';
    $db->beginTransaction();
    $insert = $db->prepare('INSERT INTO note (title, price, made, big, raw) VALUES (:title, :price, :made, :big, :raw)');
    $insert->bindValue('title', "pdo $kind 😀");
    $insert->bindValue('price', '7.25');
    $insert->bindValue('made', '2026-07-08 09:10:11');
    $insert->bindValue('big', PHP_INT_MAX, PDO::PARAM_INT);
    $insert->bindValue('raw', "\0\xfe\xff", PDO::PARAM_LOB);
    $insert->execute();
    $id = (int) $db->lastInsertId();
    echo "$kind inserted: ", $insert->rowCount(), ', id known: ', json_encode($id > 4), ', in transaction: ', json_encode($db->inTransaction()), "\n";
    $db->commit();
    $select = $db->prepare('SELECT title, price, made, big, raw FROM note WHERE title LIKE ? AND price BETWEEN ? AND ? ORDER BY id LIMIT 5');
    $select->execute(['%PDO%', 1, '100']);
    show($kind, $select->fetchAll());
    $select = $db->prepare('SELECT n.title, COUNT(t.word) AS words FROM note n LEFT JOIN tag t ON t.note = n.id WHERE n.id IN (?, ?, ?) GROUP BY n.id, n.title ORDER BY n.id');
    $select->execute([1, 2, 3]);
    show($kind, $select->fetchAll(PDO::FETCH_NUM));
    $select = $db->prepare('SELECT id, title, price, seen FROM note ORDER BY id LIMIT :many OFFSET :skipped');
    $select->bindValue('many', 2, PDO::PARAM_INT);
    $select->bindValue('skipped', 1, PDO::PARAM_INT);
    $select->execute();
    show($kind, $select->fetchAll(PDO::FETCH_OBJ));
    for ($i = 0; $i < $select->columnCount(); $i++) {
        $meta = $select->getColumnMeta($i);
        show('column', [$meta['name'], $meta['table'], $meta['native_type'] ?? '', $meta['flags'], $meta['precision']]);
    }
    $db->beginTransaction();
    $db->exec('UPDATE note SET seen = 1');
    $db->exec('SAVEPOINT inner1');
    $db->exec('UPDATE note SET seen = 2');
    $db->exec('ROLLBACK TO SAVEPOINT inner1');
    show('savepoint', $db->query('SELECT DISTINCT seen FROM note')->fetchAll(PDO::FETCH_COLUMN));
    $db->rollBack();
    $update = $db->prepare('UPDATE note SET price = :price, body = :body WHERE id = :id');
    $update->execute(['price' => null, 'body' => 'changed', 'id' => $id]);
    echo "$kind updated: ", $update->rowCount(), "\n";
    $delete = $db->prepare('DELETE FROM note WHERE title = ?');
    $delete->execute(["pdo $kind 😀"]);
    echo "$kind deleted: ", $delete->rowCount(), "\n";
    foreach (MISTAKES as $sql) {
        try {
            $db->prepare($sql)->execute();
            echo "no mistake: $sql\n";
        } catch (PDOException $e) {
            echo $sql, ': ', $e->errorInfo[1], ' ', $e->errorInfo[0], "\n";
        }
    }
    foreach (SELECTS as $sql) {
        $statement = $db->prepare($sql);
        $statement->execute();
        show("$kind $sql", $statement->fetchAll(PDO::FETCH_NUM));
    }
}

with_mysqli($host, (int) $port, $user, $password);
wrong_connections($host, (int) $port, $user, $password);
with_pdo($host, (int) $port, $user, $password, true);
with_pdo($host, (int) $port, $user, $password, false);
