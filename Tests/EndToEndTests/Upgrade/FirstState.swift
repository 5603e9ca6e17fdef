import Foundation
import GRDB

@testable import StateRows
@testable import StateStorage

/// A state of today as the first version would have had it: without what came since.
enum FirstState {
    static func restore(_ db: Database) throws {
        let unpack = DatabaseFunction("unpack", argumentCount: 1) { values in
            Data.fromDatabaseValue(values[0]).map { data in
                Data(data.withUnsafeBytes { PackedText.unpack($0) } ?? [])
            }
        }
        db.add(function: unpack)
        defer { db.remove(function: unpack) }
        try db.execute(sql: widen)
        try db.execute(sql: drop)
    }

    private static let widen = """
        CREATE TABLE first_remote (
            name            TEXT NOT NULL PRIMARY KEY,
            record_type     TEXT NOT NULL,
            change_tag      TEXT NOT NULL,
            path            BLOB NOT NULL,
            created         INTEGER NOT NULL,
            created_user    TEXT,
            created_device  TEXT,
            modified        INTEGER,
            modified_user   TEXT,
            modified_device TEXT,
            parent          TEXT,
            share           TEXT,
            assets          TEXT NOT NULL,
            listing         INTEGER NOT NULL,
            record          BLOB NOT NULL
        ) STRICT;
        INSERT INTO first_remote
            SELECT known.name, known.record_type, known.change_tag, path, known.created, created_user, created_device,
                known.modified, modified_user, modified_device, known.parent, known.share, assets, listing, unpack(record)
            FROM remote JOIN system_fields AS known ON known.name = remote.name ORDER BY remote.rowid;
        DROP VIEW system_fields;
        DROP TABLE author;
        DROP TABLE remote;
        ALTER TABLE first_remote RENAME TO remote;
        UPDATE base SET document = unpack(document) WHERE document IS NOT NULL;
        """

    private static let drop = """
        DROP TABLE sent;
        DROP TABLE version;
        DROP TABLE provenance;
        DROP TABLE share;
        DROP TABLE approval;
        DROP TABLE written;
        DROP TABLE deletion;
        ALTER TABLE folder DROP COLUMN is_copy;
        ALTER TABLE folder DROP COLUMN has_unseen_deletions;
        ALTER TABLE folder DROP COLUMN state_born_ns;
        ALTER TABLE folder DROP COLUMN root_device;
        ALTER TABLE folder DROP COLUMN root_inode;
        ALTER TABLE folder DROP COLUMN root_born_ns;
        ALTER TABLE event DROP COLUMN author_user;
        ALTER TABLE change DROP COLUMN author_user;
        ALTER TABLE conflict DROP COLUMN zone_user;
        ALTER TABLE conflict DROP COLUMN zone_at;
        ALTER TABLE local DROP COLUMN settled;
        ALTER TABLE zone DROP COLUMN recognition;
        ALTER TABLE folder DROP COLUMN learnt_types;
        ALTER TABLE folder DROP COLUMN database;
        ALTER TABLE folder DROP COLUMN zone;
        ALTER TABLE folder DROP COLUMN owner;
        ALTER TABLE folder DROP COLUMN file_type;
        ALTER TABLE folder DROP COLUMN ignore_rules;
        ALTER TABLE folder DROP COLUMN form_rules;
        ALTER TABLE folder DROP COLUMN looked;
        ALTER TABLE folder DROP COLUMN home;
        ALTER TABLE folder DROP COLUMN paused_since;
        ALTER TABLE folder DROP COLUMN paused_until;
        ALTER TABLE folder DROP COLUMN account_name;
        ALTER TABLE base DROP COLUMN created;
        ALTER TABLE base DROP COLUMN modified_ns;
        ALTER TABLE base DROP COLUMN standing;
        ALTER TABLE base DROP COLUMN born_ns;
        ALTER TABLE base DROP COLUMN renewal;
        ALTER TABLE base DROP COLUMN partial;
        ALTER TABLE local DROP COLUMN born_ns;
        DELETE FROM grdb_migrations WHERE identifier <> '1: three trees';
        """
}
