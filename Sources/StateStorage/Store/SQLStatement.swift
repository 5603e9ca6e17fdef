import GRDB
import GRDBSQLite
import StateRows
import SyncModel

/// One prepared statement with its values bound and its columns read by position, without a box around each value:
/// the trees have hundreds of thousands of rows.
///
/// Lives inside one database access; the statement is cached by the connection.
struct SQLStatement {
    private let statement: Statement
    private let handle: OpaquePointer
    private var bound: Int32 = 0

    init(_ db: Database, _ sql: StaticString) throws {
        statement = try db.cachedStatement(sql: "\(sql)")
        handle = statement.sqliteStatement
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    // MARK: Values, from the first '?' on

    mutating func bind(_ value: Int64?) {
        bound += 1
        if let value { sqlite3_bind_int64(handle, bound, value) } else { sqlite3_bind_null(handle, bound) }
    }

    mutating func bind(_ value: UInt64) { bind(Int64(bitPattern: value)) }

    mutating func bind(_ value: Bool) { bind(value ? 1 : 0) }

    mutating func bind(_ value: String?) {
        bound += 1
        guard var value else {
            sqlite3_bind_null(handle, bound)
            return
        }
        value.withUTF8 { text in
            _ = text.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(handle, bound, $0.baseAddress ?? Self.empty, Int32($0.count), Self.copied)
            }
        }
    }

    mutating func bind(_ bytes: [UInt8]?) {
        bound += 1
        guard let bytes else {
            sqlite3_bind_null(handle, bound)
            return
        }
        // A null pointer would bind NULL, so an empty blob has a way of its own.
        guard !bytes.isEmpty else {
            sqlite3_bind_zeroblob(handle, bound, 0)
            return
        }
        bytes.withUnsafeBytes { _ = sqlite3_bind_blob(handle, bound, $0.baseAddress, Int32($0.count), Self.copied) }
    }

    /// A text in its packed form.
    mutating func bind(packing text: [UInt8]?) { bind(text.map(PackedText.pack)) }

    mutating func bind(_ path: FolderPath) { bind(path.bytes) }
    mutating func bind(_ name: RecordName) { bind(name.rawValue) }
    mutating func bind(_ hash: ContentHash) { bind(hash.bytes) }

    // MARK: Steps

    /// Runs a statement that gives no rows, and makes it ready for the next values.
    mutating func run() throws {
        while try step() {}
    }

    /// Moves to the next row; after the last one, gives `false` and makes the statement ready for other values.
    mutating func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        let message = code == SQLITE_DONE ? nil : String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
        rewind()
        if let message { throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message) }
        return false
    }

    /// Makes the statement ready for other values before its last row.
    mutating func rewind() {
        sqlite3_reset(handle)
        bound = 0
    }

    // MARK: Columns of the row, from 0

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    func int64OrNil(_ column: Int32) -> Int64? { isNull(column) ? nil : int64(column) }
    func uint64(_ column: Int32) -> UInt64 { UInt64(bitPattern: int64(column)) }
    func bool(_ column: Int32) -> Bool { int64(column) != 0 }

    func text(_ column: Int32) -> String {
        guard let text = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    func textOrNil(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// The bytes of a blob or a text, valid until the next step.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    func bytesOrNil(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : Array(bytes(column)) }

    /// The text of a column that holds packed ones.
    func unpacked(_ column: Int32) throws -> [UInt8] {
        guard let text = PackedText.unpack(bytes(column)) else { throw damaged(column, "packed text") }
        return text
    }

    func unpackedOrNil(_ column: Int32) throws -> [UInt8]? { isNull(column) ? nil : try unpacked(column) }

    /// The size of a packed text, by a column of its first ``PackedText/longestHead`` bytes and the next one, of their count.
    func unpackedSize(_ column: Int32) throws -> Int64 {
        guard let size = PackedText.size(of: bytes(column), storedCount: Int(int64(column + 1))) else {
            throw damaged(column, "packed text")
        }
        return Int64(size)
    }

    func path(_ column: Int32) throws -> FolderPath {
        guard let path = FolderPath(copying: bytes(column)) else { throw damaged(column, "path") }
        return path
    }

    func hash(_ column: Int32) throws -> ContentHash {
        guard let hash = ContentHash(copying: bytes(column)) else { throw damaged(column, "hash") }
        return hash
    }

    func name(_ column: Int32) -> RecordName { RecordName(text(column)) }

    /// What was written by this program and does not read back is damage.
    func damaged(_ column: Int32, _ kind: String) -> DatabaseError {
        let column = sqlite3_column_name(handle, column).map { String(cString: $0) } ?? "?"
        return DatabaseError(resultCode: .SQLITE_CORRUPT, message: "column \(column) holds no \(kind)")
    }

    /// Tells SQLite to copy what is bound.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
    private static var empty: UnsafePointer<CChar> {
        UnsafeRawPointer(StaticString("").utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
