-- A store of schema 1, as forage wrote it before there were readable views. Never edited.
CREATE TABLE meta(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE sites( site INTEGER NOT NULL, key TEXT NOT NULL, domain TEXT NOT NULL, tags TEXT
    NOT NULL, added INTEGER, last_request INTEGER, state INTEGER NOT NULL, crawl_delay INTEGER
    NOT NULL, robots_fetched INTEGER, robots_expires INTEGER, robots_verdict INTEGER NOT NULL,
    backoff_until INTEGER, backoff_step INTEGER NOT NULL, settings TEXT NOT NULL, robots TEXT
    NOT NULL, PRIMARY KEY(site)) WITHOUT ROWID;
CREATE TABLE pages( site INTEGER NOT NULL, page INTEGER NOT NULL, fingerprint INTEGER NOT NULL,
    url TEXT NOT NULL, flags INTEGER NOT NULL, found_on INTEGER NOT NULL, alias_of INTEGER NOT
    NULL, first_seen INTEGER, last_visit INTEGER, last_change INTEGER, next_visit INTEGER,
    published INTEGER, status INTEGER NOT NULL, visits INTEGER NOT NULL, changes INTEGER NOT
    NULL, failures INTEGER NOT NULL, content_hash INTEGER NOT NULL, simhash INTEGER NOT NULL,
    weight REAL NOT NULL, depth INTEGER NOT NULL, etag TEXT NOT NULL, last_modified TEXT NOT
    NULL, title TEXT NOT NULL, language TEXT NOT NULL, PRIMARY KEY(site, page), UNIQUE(site,
    fingerprint)) WITHOUT ROWID;
CREATE TABLE visits( site INTEGER NOT NULL, page INTEGER NOT NULL, time INTEGER NOT NULL, status
    INTEGER NOT NULL, failure INTEGER NOT NULL, changed INTEGER NOT NULL, conditional INTEGER
    NOT NULL, purpose INTEGER NOT NULL, links INTEGER NOT NULL, fresh INTEGER NOT NULL, bytes
    INTEGER NOT NULL, took_ms INTEGER NOT NULL, score REAL NOT NULL, probability REAL NOT NULL,
    explored INTEGER NOT NULL, PRIMARY KEY(site, page, time)) WITHOUT ROWID;
CREATE TABLE links( site INTEGER NOT NULL, source INTEGER NOT NULL, target_site INTEGER NOT
    NULL, target INTEGER NOT NULL, first_seen INTEGER, last_seen INTEGER, gone INTEGER, PRIMARY
    KEY(site, source, target_site, target)) WITHOUT ROWID;
CREATE TABLE bodies( site INTEGER NOT NULL, page INTEGER NOT NULL, time INTEGER NOT NULL, bytes
    INTEGER NOT NULL, hash INTEGER NOT NULL, zstd BLOB NOT NULL, PRIMARY KEY(site, page, time))
    WITHOUT ROWID;
CREATE TABLE outbox( number INTEGER PRIMARY KEY, site INTEGER NOT NULL, page INTEGER NOT NULL,
    id INTEGER NOT NULL, time INTEGER NOT NULL, kind TEXT NOT NULL, json TEXT NOT NULL,
    UNIQUE(site, id));
CREATE TABLE deliveries( output TEXT PRIMARY KEY, number INTEGER NOT NULL, position INTEGER NOT
    NULL) WITHOUT ROWID;
CREATE TABLE state( site INTEGER NOT NULL, name TEXT NOT NULL, bytes BLOB NOT NULL, PRIMARY
    KEY(site, name)) WITHOUT ROWID;
CREATE TABLE labels( site INTEGER NOT NULL, page INTEGER NOT NULL, relevant INTEGER NOT NULL,
    PRIMARY KEY(site, page)) WITHOUT ROWID;
INSERT INTO meta VALUES('created', 1763000000000000), ('schema', 1), ('forage', '0.0.1');
INSERT INTO sites VALUES(1, 'https://old.example', 'old.example', '', 1763000000000000, NULL, 1, 0, NULL, NULL, 0, NULL, 0, '', '');
INSERT INTO pages VALUES(1, 1, -5, 'https://old.example/', 3, 0, 0, 1763000000000000, NULL, NULL, NULL, NULL, 200, 1, 1, 0, 0, 0, 1.0, 0, '', '', 'Old', 'en');
INSERT INTO outbox VALUES(41, 1, 1, -5, 1763000000000000, 'discovery', '{}');
PRAGMA application_id = 1179603527;
PRAGMA user_version = 1;
