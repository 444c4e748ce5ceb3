<?php
// The same create, read, update and delete through mysqli and PDO, prepared and not.
// Usage: php crud.php HOST PORT USER PASSWORD   -- prints the same against Quire and against MySQL or MariaDB.
declare(strict_types=1);

if ($argc !== 5) {
    fwrite(STDERR, "usage: php crud.php HOST PORT USER PASSWORD\n");
    exit(2);
}
[, $host, $port, $user, $password] = $argv;

function show(string $title, array $rows): void
{
    echo $title, ': ', json_encode($rows, JSON_UNESCAPED_UNICODE), "\n";
}

function with_mysqli(string $host, int $port, string $user, string $password): void
{
    mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
    $db = new mysqli($host, $user, $password, '', $port);
    $db->set_charset('utf8mb4');
    $db->query('DROP DATABASE IF EXISTS crud_php');
    $db->query('CREATE DATABASE crud_php');
    $db->select_db('crud_php');
    $db->query('CREATE TABLE note (id INT AUTO_INCREMENT PRIMARY KEY, title VARCHAR(60) NOT NULL, '
        . 'price DECIMAL(10,2), made DATETIME, UNIQUE KEY title_once (title))');
    $title = $db->real_escape_string("it's a \\ \"test\"");
    $db->query("INSERT INTO note (title, price, made) VALUES ('$title', 19.90, '2026-01-02 03:04:05')");
    echo "insert id: $db->insert_id, affected: $db->affected_rows\n";
    show('text', $db->query('SELECT * FROM note ORDER BY id')->fetch_all(MYSQLI_ASSOC));

    $insert = $db->prepare('INSERT INTO note (title, price, made) VALUES (?, ?, ?)');
    foreach ([['Zürich', 1.5, null], ['plain', null, '2026-05-06 00:00:00']] as [$title, $price, $made]) {
        $insert->bind_param('sds', $title, $price, $made);
        $insert->execute();
        echo "prepared insert id: $insert->insert_id\n";
    }
    $select = $db->prepare('SELECT id, title, price, made FROM note WHERE id >= ? ORDER BY id');
    $least = 2;
    $select->bind_param('i', $least);
    $select->execute();
    show('binary', $select->get_result()->fetch_all(MYSQLI_ASSOC));

    $db->query("UPDATE note SET price = price + 1 WHERE title = 'PLAIN' OR id = 1");
    echo "updated: $db->affected_rows\n";
    $db->query('UPDATE note SET price = 20.90 WHERE id = 1');
    echo "updated to the same: $db->affected_rows\n";
    try {
        $db->query("INSERT INTO note (title) VALUES ('plain')");
    } catch (mysqli_sql_exception $e) {
        echo 'duplicate: ', $e->getCode(), "\n";
    }
    $db->begin_transaction();
    $db->query('DELETE FROM note');
    echo "deleted: $db->affected_rows\n";
    $db->rollback();
    show('after rollback', $db->query('SELECT COUNT(*) AS notes, SUM(price) AS total FROM note')->fetch_all(MYSQLI_ASSOC));
    $db->close();
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
    $insert = $db->prepare('INSERT INTO note (title, price, made) VALUES (:title, :price, :made)');
    $insert->execute(['title' => "pdo $kind", 'price' => '7.25', 'made' => '2026-07-08 09:10:11']);
    echo "$kind insert id: ", $db->lastInsertId(), "\n";
    $db->commit();
    $select = $db->prepare('SELECT id, title, price, made FROM note WHERE title LIKE ? ORDER BY id');
    $select->execute(['%PDO%']);
    show($kind, $select->fetchAll());
    $delete = $db->prepare('DELETE FROM note WHERE title = ?');
    $delete->execute(["pdo $kind"]);
    echo "$kind deleted: ", $delete->rowCount(), "\n";
    try {
        $db->query('SELECT nothing FROM note');
    } catch (PDOException $e) {
        echo 'unknown column: ', $e->errorInfo[1], ' ', $e->errorInfo[0], "\n";
    }
}

with_mysqli($host, (int) $port, $user, $password);
with_pdo($host, (int) $port, $user, $password, true);
with_pdo($host, (int) $port, $user, $password, false);
