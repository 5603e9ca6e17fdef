import Foundation
import GRDB
import StateRows

extension Schema {
    /// What many rows say is stored once, and texts in the form of ``PackedText``: a state had more than five times the bytes of
    /// the files that it tells of.
    static func packTexts(_ db: Database) throws {
        let pack = DatabaseFunction("pack", argumentCount: 1, pure: true) { values in
            Data.fromDatabaseValue(values[0]).map { Data(PackedText.pack(Array($0))) }
        }
        db.add(function: pack)
        defer { db.remove(function: pack) }
        try db.execute(sql: packedTexts)
    }

    private static let packedTexts = """
        CREATE TABLE author (
            id              INTEGER NOT NULL PRIMARY KEY,
            user            TEXT,                       -- user record name
            device          TEXT                        -- device ID, as the server gives it
        ) STRICT;
        INSERT INTO author (user, device)
            SELECT created_user, created_device FROM remote WHERE created_user IS NOT NULL OR created_device IS NOT NULL
            UNION
            SELECT modified_user, modified_device FROM remote WHERE modified_user IS NOT NULL OR modified_device IS NOT NULL;

        ALTER TABLE remote RENAME TO wide_remote;
        CREATE TABLE remote (
            name            TEXT NOT NULL PRIMARY KEY,  -- record name, as the server spells it
            record_type     TEXT NOT NULL,
            change_tag      TEXT NOT NULL,              -- recordChangeTag, as the server last gave it
            path            BLOB NOT NULL,              -- the path that the record claims; not unique
            created         INTEGER NOT NULL,           -- when, by the server's clock; 0: not known
            created_by      INTEGER,                    -- id of an author
            modified        INTEGER,                    -- when, by the server's clock
            modified_by     INTEGER,                    -- id of an author
            parent          TEXT,                       -- record name of the parent
            share           TEXT,                       -- record name of the share
            assets          TEXT NOT NULL,              -- a line each: field, index or '-', checksum, bytes; tabs between
            listing         INTEGER NOT NULL,           -- the zone's listing_number when the record was last seen
            confirmed       INTEGER NOT NULL,           -- 1: the zone's feed named it; 0: known from a save's answer alone
            ties            INTEGER NOT NULL,           -- 1: may refer to others, 2: may keep others from being deleted; or both
            record          BLOB NOT NULL               -- the whole record dictionary, JSON as fetched (PackedText)
        ) STRICT;
        INSERT INTO remote
            SELECT name, record_type, change_tag, path, created,
                (SELECT id FROM author WHERE user IS created_user AND device IS created_device),
                modified,
                (SELECT id FROM author WHERE user IS modified_user AND device IS modified_device),
                parent, share, assets, listing, confirmed,
                (instr(record, CAST('REFERENCE' AS BLOB)) > 0)
                    + 2 * (parent IS NOT NULL OR instr(record, CAST('VALIDATE' AS BLOB)) > 0),
                pack(record)
            FROM wide_remote ORDER BY rowid;
        DROP TABLE wide_remote;

        -- The system fields of each record, for a person who asks
        CREATE VIEW system_fields AS
            SELECT name, record_type, change_tag, created, creator.user AS created_user,
                creator.device AS created_device, modified, modifier.user AS modified_user,
                modifier.device AS modified_device, parent, share
            FROM remote LEFT JOIN author AS creator ON creator.id = created_by
                LEFT JOIN author AS modifier ON modifier.id = modified_by;

        UPDATE base SET document = pack(document) WHERE document IS NOT NULL;
        UPDATE sent SET document = pack(document) WHERE document IS NOT NULL;
        UPDATE version SET document = pack(document);
        """
}
