/// What came since the first migration of how a file stands to the records that have it, and of what happened to it.
extension Schema {
    static let standing = """
        -- st_mtim of the file that was agreed on; 0: not known
        ALTER TABLE base ADD COLUMN modified_ns INTEGER NOT NULL DEFAULT 0;
        -- 0: agreed, 1: renewed, 2: yielded, 3: confirmed (BaseEntry.Standing)
        ALTER TABLE base ADD COLUMN standing INTEGER NOT NULL DEFAULT 0;
        """

    static let assetFiles = """
        -- A line of assets ends with the device and the inode of its file, or '-' twice where they are not known.
        UPDATE base SET assets = replace(assets, char(10), char(9, 45, 9, 45, 10)) || char(9, 45, 9, 45)
            WHERE assets <> '';
        UPDATE sent SET assets = replace(assets, char(10), char(9, 45, 9, 45, 10)) || char(9, 45, 9, 45)
            WHERE assets <> '';
        """

    static let renewedAssets = """
        -- A line of assets ends with what its record said of a file that was put over it, empty where it said nothing. A
        -- standing may be 4 from now on: renewedAsset.
        UPDATE base SET assets = replace(assets, char(10), char(9, 10)) || char(9) WHERE assets <> '';
        UPDATE sent SET assets = replace(assets, char(10), char(9, 10)) || char(9) WHERE assets <> '';
        """

    static let births = """
        -- When the file was made (stx_btime); 0: not known, and looked for where the file still is.
        ALTER TABLE local ADD COLUMN born_ns INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE base ADD COLUMN born_ns INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE sent ADD COLUMN born_ns INTEGER NOT NULL DEFAULT 0;
        -- A line of assets ends with the same; which files they are is found anew, by their bytes.
        UPDATE base SET assets = replace(assets, char(10), char(9, 45, 10)) || char(9, 45) WHERE assets <> '';
        UPDATE sent SET assets = replace(assets, char(10), char(9, 45, 10)) || char(9, 45) WHERE assets <> '';
        """

    static let renewedFiles = """
        -- What the record said when somebody last put another file in the place of its own; empty: nothing
        ALTER TABLE base ADD COLUMN renewal TEXT NOT NULL DEFAULT '';
        """

    static let partialVersions = """
        -- 1: the folder has this version only in part, and is to receive it once more. Until now its tag was '' then.
        ALTER TABLE base ADD COLUMN partial INTEGER NOT NULL DEFAULT 0;
        """

    static let provenance = """
        -- What happened to files that no tree tells (Provenance); no row where nothing is to be remembered
        CREATE TABLE provenance (
            path            BLOB NOT NULL PRIMARY KEY,  -- of the file
            origin_record   TEXT,                       -- name of the record whose file a person put here; NULL: of none
            origin_path     BLOB,                       -- where that record has it
            origin_hash     BLOB,                       -- SHA-256, as both sides agreed on it
            origin_device   INTEGER,                    -- bits of an unsigned number
            origin_inode    INTEGER,                    -- bits of an unsigned number
            origin_born_ns  INTEGER,                    -- 0: not known
            origin_modified_ns INTEGER,                 -- 0: not known
            origin_is_asset INTEGER,                    -- 0: the record's own file, 1: an asset of it
            parted_record   TEXT,                       -- name of the record whose file was here before; NULL: of none
            parted_hash     BLOB,                       -- SHA-256, as both sides agreed on it
            parted_device   INTEGER,                    -- bits of an unsigned number
            parted_inode    INTEGER,                    -- bits of an unsigned number
            parted_born_ns  INTEGER,                    -- 0: not known
            parted_modified_ns INTEGER,                 -- 0: not known; NULL: an asset, of which it is not kept
            let_go          BLOB,                       -- SHA-256 of the asset that the zone let go
            overwritten     BLOB NOT NULL,              -- SHA-256 of agreed assets that others went over, one behind the other
            unwatched       INTEGER NOT NULL,           -- 1: it came here while nobody looked
            taken_out       INTEGER,                    -- out of a record, by a person: 0, and 1 once the zone was asked since
            arrived         BLOB                        -- SHA-256 of what came with one record, where others name it too
        ) STRICT, WITHOUT ROWID;
        """

    static let movedFiles = """
        -- Name of the record whose own file a person moved here, as the zone does not know yet; NULL: of none
        ALTER TABLE provenance ADD COLUMN moved_here TEXT;
        """

    static let awaited = """
        -- SHA-256 of an asset's bytes that come here once more: others went over them where a person had moved the file
        ALTER TABLE provenance ADD COLUMN awaited BLOB;
        """
}
