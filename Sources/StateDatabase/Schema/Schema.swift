package import GRDB

/// The schema of `state.sqlite`, for this program and for a reader with only a `sqlite3` prompt.
///
/// A released migration is never edited: a change is a new migration below the others. A database that knows a
/// migration which is not here was written by a newer version, and is refused.
///
/// Times are milliseconds since 1970, unless the column says `_ns`. Paths are BLOBs: Linux names are bytes, not text.
package enum Schema {
    package static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: three trees") { db in
            try db.execute(sql: trees)
            try db.execute(sql: facts)
            try db.execute(sql: attention)
            try db.execute(sql: journal)
        }
        migrator.registerMigration("2: unanswered saves") { db in try db.execute(sql: sent) }
        migrator.registerMigration("3: settled files") { db in try db.execute(sql: settled) }
        migrator.registerMigration("4: shares") { db in try db.execute(sql: shares) }
        migrator.registerMigration("5: the same zone") { db in try db.execute(sql: sameZone) }
        migrator.registerMigration("6: learnt types") { db in try db.execute(sql: learntTypes) }
        migrator.registerMigration("7: confirmed records") { db in try db.execute(sql: confirmed) }
        migrator.registerMigration("8: origin") { db in try db.execute(sql: origin) }
        migrator.registerMigration("9: one record or another") { db in try db.execute(sql: creation) }
        migrator.registerMigration("10: standing") { db in try db.execute(sql: standing) }
        migrator.registerMigration("11: files of assets") { db in try db.execute(sql: assetFiles) }
        migrator.registerMigration("12: renewed assets") { db in try db.execute(sql: renewedAssets) }
        // A standing could be 5 between this one and 17.
        migrator.registerMigration("13: repeated files") { _ in }
        migrator.registerMigration("14: births of files") { db in try db.execute(sql: births) }
        migrator.registerMigration("15: ignore rules") { db in try db.execute(sql: ignoreRules) }
        migrator.registerMigration("16: renewed files") { db in try db.execute(sql: renewedFiles) }
        // What is put over an equal file is like any other that is put there.
        migrator.registerMigration("17: one standing of renewed files") { db in
            try db.execute(sql: "UPDATE base SET standing = 1 WHERE standing = 5")
        }
        migrator.registerMigration("18: unfit files") { db in try db.execute(sql: unfitFiles) }
        migrator.registerMigration("19: looks at the whole folder") { db in try db.execute(sql: looks) }
        migrator.registerMigration("20: home") { db in try db.execute(sql: home) }
        migrator.registerMigration("21: pauses") { db in try db.execute(sql: pauses) }
        migrator.registerMigration("22: kept versions") { db in try db.execute(sql: keptVersions) }
        migrator.registerMigration("23: account's name") { db in try db.execute(sql: accountName) }
        migrator.registerMigration("24: provenance") { db in try db.execute(sql: provenance) }
        migrator.registerMigration("25: packed texts", migrate: packTexts)
        migrator.registerMigration("26: versions in part") { db in try db.execute(sql: partialVersions) }
        migrator.registerMigration("27: users who change files") { db in try db.execute(sql: changingUsers) }
        migrator.registerMigration("28: approvals that last") { db in try db.execute(sql: approvals) }
        migrator.registerMigration("29: versions under way") { db in try db.execute(sql: written) }
        migrator.registerMigration("30: awaited assets") { db in try db.execute(sql: awaited) }
        migrator.registerMigration("31: numbers of disks") { db in try db.execute(sql: root) }
        migrator.registerMigration("32: copied folders") { db in try db.execute(sql: copies) }
        migrator.registerMigration("33: deletions of late") { db in try db.execute(sql: deletions) }
        migrator.registerMigration("34: unseen deletions") { db in try db.execute(sql: unseenDeletions) }
        migrator.registerMigration("35: what versions under way leave over") { db in try db.execute(sql: leftOvers) }
        migrator.registerMigration("36: whom a conflict is with") { db in try db.execute(sql: conflictingVersions) }
        migrator.registerMigration("37: moved files") { db in try db.execute(sql: movedFiles) }
        return migrator
    }

    private static let conflictingVersions = """
        -- The zone's version as it collided: the user record name of who saved it, and when; NULL: not known
        ALTER TABLE conflict ADD COLUMN zone_user TEXT;
        ALTER TABLE conflict ADD COLUMN zone_at INTEGER;
        """

    private static let leftOvers = """
        -- Assets that it has no more, and that go into the history once it is written; as `assets`
        ALTER TABLE written ADD COLUMN left_over TEXT NOT NULL DEFAULT '';
        """

    private static let unseenDeletions = """
        -- 1: a person was asked of what was deleted elsewhere before the folder was copied, and files of it cannot be looked at
        ALTER TABLE folder ADD COLUMN has_unseen_deletions INTEGER NOT NULL DEFAULT 0;
        """

    private static let deletions = """
        -- Deletions of the last minutes that nobody was asked about
        CREATE TABLE deletion (
            in_zone         INTEGER NOT NULL,           -- 1: of records in the zone, 0: of files in the folder
            at              INTEGER NOT NULL,
            count           INTEGER NOT NULL            -- so many at that time
        ) STRICT;
        """

    private static let copies = """
        -- 1: the folder was copied, or put back from a backup, since the zone was last asked for its changes
        ALTER TABLE folder ADD COLUMN is_copy INTEGER NOT NULL DEFAULT 0;
        -- When this file was made; NULL and 0: not known
        ALTER TABLE folder ADD COLUMN state_born_ns INTEGER;
        """

    private static let root = """
        -- The folder's own directory, as it was when the folder was last opened; NULL: not known
        ALTER TABLE folder ADD COLUMN root_device INTEGER;  -- bits of an unsigned number
        ALTER TABLE folder ADD COLUMN root_inode INTEGER;   -- bits of an unsigned number
        ALTER TABLE folder ADD COLUMN root_born_ns INTEGER; -- 0: not known
        """

    private static let written = """
        -- Versions that are being written into the folder; no row once it is stored what became of them
        CREATE TABLE written (
            name            TEXT NOT NULL PRIMARY KEY,  -- record name
            path            BLOB NOT NULL,              -- where the file is written
            hash            BLOB NOT NULL,              -- SHA-256 of the file as it is written
            former_tag      TEXT,                       -- change tag of what was agreed on before; NULL: nothing was
            -- What both sides agree on then, as in `base`
            record_type     TEXT NOT NULL,
            agreed_path     BLOB NOT NULL,
            agreed_hash     BLOB NOT NULL,
            executable      INTEGER NOT NULL,
            change_tag      TEXT NOT NULL,
            created         INTEGER NOT NULL,
            assets          TEXT NOT NULL,
            standing        INTEGER NOT NULL,
            renewal         TEXT NOT NULL,
            document        BLOB                        -- of a merge: the zone's text; NULL: the file's own, or none
        ) STRICT, WITHOUT ROWID;
        """

    private static let approvals = """
        -- Deletions that a person let pass and that are not done
        CREATE TABLE approval (
            name            TEXT NOT NULL,              -- of the record
            in_zone         INTEGER NOT NULL,           -- 1: the record is to go, 0: its file
            PRIMARY KEY (name, in_zone)
        ) STRICT, WITHOUT ROWID;
        """

    private static let changingUsers = """
        -- The user record name of an author 'other': somebody else than the account
        ALTER TABLE event ADD COLUMN author_user TEXT;
        ALTER TABLE change ADD COLUMN author_user TEXT;
        """

    private static let accountName = """
        -- How the signed-in account is called, as the server told with its user record name; NULL: it told none
        ALTER TABLE folder ADD COLUMN account_name TEXT;
        """

    private static let pauses = """
        -- When a person's pause began, and when it ends by itself; NULL: none goes on, or it has no such end
        ALTER TABLE folder ADD COLUMN paused_since INTEGER;
        ALTER TABLE folder ADD COLUMN paused_until INTEGER;
        """

    private static let home = """
        -- the machine and the state directory for which the courier was made; NULL: not known
        ALTER TABLE folder ADD COLUMN home TEXT;
        """

    private static let keptVersions = """
        -- JSON texts on which both sides had agreed, and which an edit or a deletion here replaced
        CREATE TABLE version (
            id              INTEGER PRIMARY KEY AUTOINCREMENT,
            path            BLOB NOT NULL,              -- of the file
            at              INTEGER NOT NULL,           -- when both sides agreed on what replaced it
            written         INTEGER NOT NULL,           -- when its bytes were written, by its file
            reason          TEXT NOT NULL,              -- what replaced it (KeptReason)
            executable      INTEGER NOT NULL,
            document        BLOB NOT NULL               -- the whole text
        ) STRICT;
        """

    private static let sent = """
        CREATE TABLE sent (
            name            TEXT NOT NULL,              -- record name: a save of it went out, and no answer is stored
            hash            BLOB NOT NULL,              -- SHA-256 of the file as it was sent
            record_type     TEXT NOT NULL,
            path            BLOB NOT NULL,              -- of the file
            executable      INTEGER NOT NULL,
            assets          TEXT NOT NULL,              -- a line each: field, index or '-', path with %XX, SHA-256, checksum
            device          INTEGER NOT NULL,           -- of the file, bits of an unsigned number
            inode           INTEGER NOT NULL,           -- of the file, bits of an unsigned number
            document        BLOB,                       -- the JSON text that was sent; NULL for a file record
            PRIMARY KEY (name, hash)
        ) STRICT;
        """

    private static let settled = """
        -- 0: read within the clock's grain of its last change, so that an equal stamp proves nothing
        ALTER TABLE local ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;
        """

    private static let shares = """
        CREATE TABLE share (
            name            TEXT NOT NULL PRIMARY KEY,  -- record name of the share
            permission      TEXT CHECK (permission IN ('read-only', 'read-write')),  -- NULL until the share itself came
            root            TEXT                        -- name of the record that is shared with all below it; NULL: the zone
        ) STRICT;

        -- Earlier versions took a share for a record with a file: such a file goes the way of a deleted record's.
        INSERT OR IGNORE INTO tombstone SELECT name FROM base WHERE record_type = 'cloudkit.share';
        DELETE FROM remote WHERE record_type = 'cloudkit.share';
        """

    private static let sameZone = """
        -- 1: the last listing named a record of the base with its time of creation, so this is the zone of the base;
        -- 0: it did not yet; -1: it cannot tell any more
        ALTER TABLE zone ADD COLUMN recognition INTEGER NOT NULL DEFAULT 0;
        UPDATE zone SET recognition = 1 WHERE listing = 1;
        """

    private static let learntTypes = """
        -- Record types of which the schema has learnt, and whose files are to be read again for it: a line each
        ALTER TABLE folder ADD COLUMN learnt_types TEXT NOT NULL DEFAULT '';
        """

    private static let confirmed = """
        -- 0: known from the answer to a save alone, which may have gone into a zone that was made anew; 1: the zone's feed
        -- named it
        ALTER TABLE remote ADD COLUMN confirmed INTEGER NOT NULL DEFAULT 1;
        """

    private static let origin = """
        -- With `server`, `container` and `environment`: what the state was learnt of. NULL: not known yet
        ALTER TABLE folder ADD COLUMN database TEXT;    -- private or shared
        ALTER TABLE folder ADD COLUMN zone TEXT;
        ALTER TABLE folder ADD COLUMN owner TEXT;       -- user record name; NULL: the account itself
        ALTER TABLE folder ADD COLUMN file_type TEXT;   -- record type of files that are no structured records
        """

    private static let creation = """
        -- When the record was made, by the server's clock; 0: not known
        ALTER TABLE base ADD COLUMN created INTEGER NOT NULL DEFAULT 0;
        UPDATE base SET created = remote.created FROM remote
            WHERE remote.name = base.name AND remote.change_tag = base.change_tag;
        """

    private static let ignoreRules = """
        -- A person's ignore rules, a line each, as they were when the whole folder was last looked at; NULL: not known
        ALTER TABLE folder ADD COLUMN ignore_rules TEXT;
        """

    private static let unfitFiles = """
        -- What of `config.toml` and of the schema file that it names tells what files are, as it was when they were last
        -- read; NULL: nothing of it. From now on a row of `local` with the form 'file' may have a problem: why a file that
        -- lies where a structured record's would is none.
        ALTER TABLE folder ADD COLUMN form_rules TEXT;
        """

    private static let looks = """
        -- When the last look at the whole folder began; NULL: not known
        ALTER TABLE folder ADD COLUMN looked INTEGER;
        """
}
