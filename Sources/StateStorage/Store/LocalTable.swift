import GRDB
import SyncModel

/// The rows of `local`.
enum LocalTable {
    /// In the order of their paths.
    static func each(_ db: Database, _ take: (LocalEntry) -> Void) throws {
        var rows = try SQLStatement(
            db,
            """
            SELECT path, device, inode, size_bytes, modified_ns, changed_ns, mode, hash, form, record_type, attachments,
                problem_code, problem_message, problem_remedy, problem_line, settled, born_ns
            FROM local ORDER BY path
            """)
        while try rows.step() {
            let stamp = FileStamp(
                device: rows.uint64(1), inode: rows.uint64(2), size: rows.int64(3), modified: rows.int64(4),
                changed: rows.int64(5), mode: UInt32(truncatingIfNeeded: rows.int64(6)), born: rows.int64(16))
            take(
                LocalEntry(
                    path: try rows.path(0), stamp: stamp, hash: try rows.hash(7), form: try form(rows),
                    isSettled: rows.bool(15)))
        }
    }

    /// Files that fit no structured record, in the order of their paths.
    static func unfit(_ db: Database) throws -> [(path: FolderPath, problem: Problem)] {
        var rows = try SQLStatement(
            db,
            """
            SELECT path, problem_code, problem_message, problem_remedy, problem_line FROM local
            WHERE form = 'file' AND problem_code IS NOT NULL ORDER BY path
            """)
        var files: [(FolderPath, Problem)] = []
        while try rows.step() { files.append((try rows.path(0), problem(rows, from: 1))) }
        return files
    }

    /// What structured files name as their assets.
    static func attached(_ db: Database) throws -> Set<FolderPath> {
        var rows = try SQLStatement(db, "SELECT attachments FROM local WHERE attachments <> ''")
        var paths: Set<FolderPath> = []
        while try rows.step() {
            guard let attachments = LineList.attachments(rows.bytes(0)) else { throw rows.damaged(0, "attachments") }
            for attachment in attachments { paths.insert(attachment.path) }
        }
        return paths
    }

    private static func form(_ row: SQLStatement) throws -> FileForm {
        switch row.bytes(8).first {
        case UInt8(ascii: "f"):
            return row.isNull(11) ? .file : .unfit(problem(row, from: 11))
        case UInt8(ascii: "s"):
            guard let attachments = LineList.attachments(row.bytes(10)) else { throw row.damaged(10, "attachments") }
            return .structured(recordType: row.text(9), attachments: attachments)
        default:
            return .held(problem(row, from: 11))
        }
    }

    /// Of four columns that follow each other: code, message, remedy and line.
    private static func problem(_ row: SQLStatement, from column: Int32) -> Problem {
        Problem(
            Problem.Code(rawValue: row.text(column)), message: row.text(column + 1), remedy: row.text(column + 2),
            line: row.int64OrNil(column + 3).map { Int($0) })
    }

    static func put(_ entries: [LocalEntry], _ db: Database) throws {
        guard !entries.isEmpty else { return }
        var upsert = try SQLStatement(
            db,
            """
            INSERT INTO local VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (path) DO UPDATE SET
                device = excluded.device, inode = excluded.inode, size_bytes = excluded.size_bytes,
                modified_ns = excluded.modified_ns, changed_ns = excluded.changed_ns, mode = excluded.mode,
                hash = excluded.hash, form = excluded.form, record_type = excluded.record_type,
                attachments = excluded.attachments, problem_code = excluded.problem_code,
                problem_message = excluded.problem_message, problem_remedy = excluded.problem_remedy,
                problem_line = excluded.problem_line, settled = excluded.settled, born_ns = excluded.born_ns
            WHERE (device, inode, size_bytes, modified_ns, changed_ns, mode, hash, form, record_type, attachments,
                    problem_code, problem_message, problem_remedy, problem_line, settled, born_ns)
                IS NOT (excluded.device, excluded.inode, excluded.size_bytes, excluded.modified_ns,
                    excluded.changed_ns, excluded.mode, excluded.hash, excluded.form, excluded.record_type,
                    excluded.attachments, excluded.problem_code, excluded.problem_message, excluded.problem_remedy,
                    excluded.problem_line, excluded.settled, excluded.born_ns)
            """)
        for entry in entries {
            upsert.bind(entry.path)
            upsert.bind(entry.stamp.device)
            upsert.bind(entry.stamp.inode)
            upsert.bind(entry.stamp.size)
            upsert.bind(entry.stamp.modified)
            upsert.bind(entry.stamp.changed)
            upsert.bind(Int64(entry.stamp.mode))
            upsert.bind(entry.hash)
            var recordType: String?
            var attachments: String?
            var problem: Problem?
            switch entry.form {
            case .file:
                upsert.bind("file")
            case .structured(let type, let files):
                upsert.bind("structured")
                recordType = type
                attachments = LineList.text(files)
            case .unfit(let reason):
                upsert.bind("file")
                problem = reason
            case .held(let reason):
                upsert.bind("held")
                problem = reason
            }
            upsert.bind(recordType)
            upsert.bind(attachments)
            upsert.bind(problem?.code.rawValue)
            upsert.bind(problem?.message)
            upsert.bind(problem?.remedy)
            upsert.bind(problem?.line.map { Int64($0) })
            upsert.bind(entry.isSettled)
            upsert.bind(entry.stamp.born)
            try upsert.run()
        }
    }

    static func remove(_ paths: [FolderPath], _ db: Database) throws {
        guard !paths.isEmpty else { return }
        var delete = try SQLStatement(db, "DELETE FROM local WHERE path = ?")
        for path in paths {
            delete.bind(path)
            try delete.run()
        }
    }
}
