/// The tables of the first migration, as they were then; what came to them since is in the migrations below it.
extension Schema {
    static let trees = """
        CREATE TABLE remote (
            name            TEXT NOT NULL PRIMARY KEY,  -- record name, as the server spells it
            record_type     TEXT NOT NULL,
            change_tag      TEXT NOT NULL,              -- recordChangeTag, as the server last gave it
            path            BLOB NOT NULL,              -- the path that the record claims; not unique
            created         INTEGER NOT NULL,           -- when, by the server's clock
            created_user    TEXT,                       -- user record name
            created_device  TEXT,                       -- device ID, as the server gives it
            modified        INTEGER,
            modified_user   TEXT,
            modified_device TEXT,
            parent          TEXT,                       -- record name of the parent
            share           TEXT,                       -- record name of the share
            assets          TEXT NOT NULL,              -- a line each: field, index or '-', checksum, bytes; tabs between
            listing         INTEGER NOT NULL,           -- the zone's listing_number when the record was last seen
            record          BLOB NOT NULL               -- the whole record dictionary, JSON as fetched
        ) STRICT;

        CREATE TABLE tombstone (
            name            TEXT NOT NULL PRIMARY KEY   -- a record that the server said is deleted, or a complete listing lacked
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE local (
            path            BLOB NOT NULL PRIMARY KEY,  -- relative to the folder, '/' between names
            device          INTEGER NOT NULL,           -- st_dev, bits of an unsigned number
            inode           INTEGER NOT NULL,           -- st_ino, bits of an unsigned number
            size_bytes      INTEGER NOT NULL,
            modified_ns     INTEGER NOT NULL,           -- st_mtim
            changed_ns      INTEGER NOT NULL,           -- st_ctim
            mode            INTEGER NOT NULL,           -- permission bits
            hash            BLOB NOT NULL,              -- SHA-256 of the bytes that were read
            form            TEXT NOT NULL CHECK (form IN ('file', 'structured', 'held')),
            record_type     TEXT,                       -- of a structured record
            attachments     TEXT,                       -- of a structured record, a line each: field, index or '-', path with %XX
            problem_code    TEXT,                       -- of a held file
            problem_message TEXT,
            problem_remedy  TEXT,
            problem_line    INTEGER
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE base (
            name            TEXT NOT NULL PRIMARY KEY,  -- record name
            record_type     TEXT NOT NULL,
            path            BLOB NOT NULL,              -- of the file, when both sides agreed
            hash            BLOB NOT NULL,              -- SHA-256 of the file; of a structured record, of its JSON text
            executable      INTEGER NOT NULL,
            change_tag      TEXT NOT NULL,              -- recordChangeTag of the agreed state; the next save carries it
            assets          TEXT NOT NULL,              -- a line each: field, index or '-', path with %XX, SHA-256, checksum
            device          INTEGER NOT NULL,           -- of the file, bits of an unsigned number
            inode           INTEGER NOT NULL,           -- of the file, bits of an unsigned number
            document        BLOB                        -- the JSON text on which both agreed; NULL for a file record
        ) STRICT;
        """

    static let facts = """
        CREATE TABLE folder (
            id              INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
            marker          TEXT,                       -- identifies this folder; made at `init`
            device          TEXT,                       -- identifies this device among those that sync the zone
            server          TEXT,                       -- what the facts below were learnt of
            container       TEXT,
            environment     TEXT,
            account         TEXT,                       -- user record name of the signed-in account
            subscription    TEXT,                       -- id of the database subscription; set once the server has it
            database_token  TEXT CHECK (database_token <> ''),  -- sync token of changes/database
            courier_url     TEXT,                       -- where pushes are polled for
            courier_expires INTEGER,
            push_token      TEXT,                       -- APNs token that belongs to the courier URL
            fetched         INTEGER,                    -- when the last fetch reached its end
            pushed          INTEGER,                    -- when the server last accepted something
            paused          INTEGER NOT NULL DEFAULT 0, -- 1 while a person wants it so
            schema          BLOB                        -- the zone's field types, as learnt
        ) STRICT;
        INSERT INTO folder (id) VALUES (1);

        CREATE TABLE zone (
            name            TEXT NOT NULL,
            owner           TEXT NOT NULL,              -- user record name; '' is the account itself
            token           TEXT CHECK (token <> ''),   -- sync token of changes/zone: all it covers is in `remote`
            created         INTEGER NOT NULL DEFAULT 0, -- 1 once the server said that the zone is there
            owed            INTEGER NOT NULL DEFAULT 0, -- 1 while changes are known to wait on the server
            listing_number  INTEGER NOT NULL DEFAULT 0, -- counts the listings from the zone's beginning
            listing         INTEGER NOT NULL DEFAULT 0, -- 1 while one of them goes on
            complete        INTEGER NOT NULL DEFAULT 0, -- 1 once one of them reached its end: `remote` is whole
            incarnation     INTEGER NOT NULL DEFAULT 0, -- counts the losses of the zone
            loss            TEXT,                       -- how the zone vanished, until that is settled
            PRIMARY KEY (name, owner)
        ) STRICT, WITHOUT ROWID;
        """

    static let attention = """
        CREATE TABLE problem (
            subject         TEXT NOT NULL CHECK (subject IN ('folder', 'path', 'record')),
            name            BLOB NOT NULL,              -- the path or the record name; empty for the folder
            code            TEXT NOT NULL,
            message         TEXT NOT NULL,              -- what is wrong
            remedy          TEXT NOT NULL,              -- what to do
            line            INTEGER,                    -- of the file, from 1
            since           INTEGER NOT NULL,
            PRIMARY KEY (subject, name)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE conflict (
            copy            BLOB NOT NULL PRIMARY KEY,  -- path of the conflict copy
            original        BLOB NOT NULL,              -- path of the file that holds the name
            record          TEXT NOT NULL,              -- record name
            fields          TEXT NOT NULL,              -- a line for each field that collided; empty for whole files
            hash            BLOB NOT NULL,              -- SHA-256 of the copy
            at              INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE batch (
            id              TEXT NOT NULL PRIMARY KEY,  -- names exactly these actions: another set has another id
            code            TEXT NOT NULL,              -- why it is held
            message         TEXT NOT NULL,
            count           INTEGER NOT NULL,           -- actions
            since           INTEGER NOT NULL,
            approved        INTEGER                     -- when a person approved it
        ) STRICT, WITHOUT ROWID;
        """

    static let journal = """
        CREATE TABLE event (
            id              INTEGER PRIMARY KEY AUTOINCREMENT,
            kind            TEXT NOT NULL CHECK (kind IN ('setup', 'import', 'export')),
            author          TEXT NOT NULL,              -- person, device, merge or restore
            author_device   TEXT,                       -- which device, where known
            began           INTEGER NOT NULL,
            ended           INTEGER,                    -- NULL while it goes on, or where the process was killed in it
            outcome         TEXT CHECK (outcome IN ('success', 'error')),
            error_code      TEXT,
            error_message   TEXT,
            changed         INTEGER NOT NULL,           -- records
            deleted         INTEGER NOT NULL            -- records
        ) STRICT;

        CREATE TABLE change (
            id              INTEGER PRIMARY KEY AUTOINCREMENT,
            event           INTEGER,                    -- the import or export that it was part of
            at              INTEGER NOT NULL,
            action          TEXT NOT NULL,              -- what was done, in one word
            author          TEXT NOT NULL,              -- person, device, merge or restore
            author_device   TEXT,
            path            BLOB,
            record          TEXT
        ) STRICT;
        """
}
