import GRDB
import SyncModel

/// The rows of `provenance`.
enum ProvenanceTable {
    static func all(_ db: Database) throws -> [FolderPath: Provenance] {
        var rows = try SQLStatement(
            db,
            """
            SELECT path, origin_record, origin_path, origin_hash, origin_device, origin_inode, origin_born_ns,
                origin_modified_ns, origin_is_asset, parted_record, parted_hash, parted_device, parted_inode,
                parted_born_ns, parted_modified_ns, let_go, overwritten, unwatched, taken_out, arrived, awaited, moved_here
            FROM provenance
            """)
        var entries: [FolderPath: Provenance] = [:]
        while try rows.step() {
            let path = try rows.path(0)
            var known = Provenance()
            if !rows.isNull(1) {
                known.origin = AgreedFile(
                    record: rows.name(1), path: try rows.path(2), hash: try rows.hash(3), file: file(rows, 4),
                    modified: rows.int64(7), isAsset: rows.bool(8))
            }
            if !rows.isNull(9) {
                known.parted = AgreedFile(
                    record: rows.name(9), path: path, hash: try rows.hash(10), file: file(rows, 11),
                    modified: rows.int64OrNil(14) ?? 0, isAsset: rows.isNull(14))
            }
            if !rows.isNull(15) { known.letGo = try rows.hash(15) }
            known.overwritten = try hashes(rows, 16)
            known.isUnwatched = rows.bool(17)
            if let code = rows.int64OrNil(18) {
                guard let takenOut = Provenance.TakenOut(rawValue: code) else { throw rows.damaged(18, "state") }
                known.takenOut = takenOut
            }
            if !rows.isNull(19) { known.arrived = try rows.hash(19) }
            if !rows.isNull(20) { known.awaited = try rows.hash(20) }
            if !rows.isNull(21) { known.movedHere = rows.name(21) }
            entries[path] = known
        }
        return entries
    }

    /// Where records' own files were moved to.
    static func moves(_ db: Database) throws -> [RecordName: FolderPath] {
        var rows = try SQLStatement(db, "SELECT moved_here, path FROM provenance WHERE moved_here IS NOT NULL")
        var moves: [RecordName: FolderPath] = [:]
        while try rows.step() { moves[rows.name(0)] = try rows.path(1) }
        return moves
    }

    /// Takes over what changed; nothing is kept of a path where nothing is to be remembered.
    static func put(_ changes: [FolderPath: Provenance], _ db: Database) throws {
        guard !changes.isEmpty else { return }
        var upsert = try SQLStatement(
            db,
            """
            INSERT OR REPLACE INTO provenance
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        var delete = try SQLStatement(db, "DELETE FROM provenance WHERE path = ?")
        for (path, known) in changes.sorted(by: { $0.key < $1.key }) {
            if known.isEmpty {
                delete.bind(path)
                try delete.run()
                continue
            }
            upsert.bind(path)
            upsert.bind(known.origin?.record.rawValue)
            upsert.bind(known.origin?.path.bytes)
            bind(known.origin, &upsert)
            upsert.bind(known.origin?.modified)
            upsert.bind(known.origin.map { $0.isAsset ? 1 : 0 })
            upsert.bind(known.parted?.record.rawValue)
            bind(known.parted, &upsert)
            upsert.bind(known.parted.flatMap { $0.isAsset ? nil : $0.modified })
            upsert.bind(known.letGo?.bytes)
            upsert.bind(known.overwritten.flatMap(\.bytes))
            upsert.bind(known.isUnwatched)
            upsert.bind(known.takenOut?.rawValue)
            upsert.bind(known.arrived?.bytes)
            upsert.bind(known.awaited?.bytes)
            upsert.bind(known.movedHere?.rawValue)
            try upsert.run()
        }
    }

    /// Binds the bytes and the identity of a file.
    private static func bind(_ known: AgreedFile?, _ statement: inout SQLStatement) {
        statement.bind(known?.hash.bytes)
        statement.bind(known.map { Int64(bitPattern: $0.file.device) })
        statement.bind(known.map { Int64(bitPattern: $0.file.inode) })
        statement.bind(known?.file.born)
    }

    /// A file by three columns: its device, its inode and when it was made.
    private static func file(_ rows: SQLStatement, _ first: Int32) -> FileIdentity {
        FileIdentity(device: rows.uint64(first), inode: rows.uint64(first + 1), born: rows.int64(first + 2))
    }

    static func removeAll(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM provenance")
    }

    /// Of a SHA-256.
    private static let hashBytes = 32

    /// Hashes that were stored one behind the other.
    private static func hashes(_ rows: SQLStatement, _ column: Int32) throws -> Set<ContentHash> {
        let bytes = rows.bytes(column)
        var hashes: Set<ContentHash> = []
        for start in stride(from: 0, to: bytes.count, by: hashBytes) {
            let part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + hashBytes, bytes.count)])
            guard let hash = ContentHash(copying: part) else {
                throw rows.damaged(column, "list of hashes")
            }
            hashes.insert(hash)
        }
        return hashes
    }
}
