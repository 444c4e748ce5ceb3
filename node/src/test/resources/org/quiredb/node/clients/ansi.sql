# In ANSI mode, as Drupal sets it.
SET sql_mode = 'ANSI,TRADITIONAL'
CREATE TABLE "node" ("nid" INT unsigned NOT NULL auto_increment, "type" VARCHAR(32) NOT NULL DEFAULT '', "a""b" INT, "tick`s" INT, PRIMARY KEY ("nid"), INDEX "by_type" ("type"))
INSERT INTO "node" ("type", "a""b", "tick`s") VALUES ('page', 1, 2), ('it''s', 3, 4), ('back\\slash', 5, 6), ('"quoted"', 7, 8)
SELECT "nid", "type", "a""b", "tick`s" FROM "node" ORDER BY "nid"
SELECT "n"."type" AS "kind" FROM "node" "n" WHERE ("n"."nid" = 1) AND ("n"."type" IN ('page', 'story')) LIMIT 1 OFFSET 0
SELECT COUNT(*) AS "expression" FROM (SELECT 1 AS "expression" FROM "node" "n" WHERE "type" LIKE 'p%') "subquery"
SELECT "type" || '-' || "nid" AS "joined" FROM "node" ORDER BY 1
UPDATE "node" SET "type" = "type" || '!' WHERE "nid" = 1
UPDATE "node" SET "type" = 'story' WHERE "nid" = 2
SELECT "type" FROM "node" ORDER BY "nid"
SELECT "nothing" FROM "node"
SELECT 'a' "b"
SELECT COUNT (*) FROM "node"
INSERT INTO "node" ("type") VALUES ("nid")
PREPARE "s" FROM 'SELECT "type" FROM "node" WHERE "nid" = ?'
SET @id = 2
EXECUTE "s" USING @id
DELETE FROM "node" WHERE "nid" = 3
SELECT "unfinished
ALTER TABLE "node" ADD COLUMN "more" VARCHAR(10) DEFAULT 'x', DROP INDEX "by_type"
SHOW COLUMNS FROM "node"
BEGIN
INSERT INTO "node" ("type") VALUES ('within')
SELECT MAX("nid") AS "last", MAX("type" || 'x') AS "joined" FROM "node"
ROLLBACK
SET sql_mode = DEFAULT
SELECT "type" FROM node ORDER BY nid LIMIT 1
SELECT 1 || 0
