-- What Quire's account needs: its own database `quire`, and every database that is to be served. The image has made
-- the account with MYSQL_USER and MYSQL_PASSWORD.
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, ALTER, INDEX, REFERENCES, CREATE TEMPORARY TABLES, CREATE VIEW,
    SHOW VIEW
    ON *.* TO 'quire'@'%';
