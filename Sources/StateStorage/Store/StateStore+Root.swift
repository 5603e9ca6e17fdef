public import FolderSettings
import GRDB
import StateRows
public import SyncModel

extension StateStore {
    /// Says which directory the folder is.
    ///
    /// The system may give a disk another number at each start, as with btrfs, device mapper and disks that are found in another
    /// order. Where the directory is the same one by its inode and its time of birth, so are the files in it, all of which are on
    /// its disk: they are known by the new number. Otherwise all of them would be read again, and no rename be seen as one.
    /// Another directory, or another file of the state, by when it was made, is a copy or what a backup had
    /// (`FolderFacts.isCopy`). A number alone tells none from another: some file systems give another one at each mount.
    /// - Parameter state: When the file of the state was made, in nanoseconds since 1970; 0: not known.
    /// - Returns: Whether the disk has another number.
    @discardableResult
    public func setRoot(_ root: FileIdentity, stateBorn state: Int64 = 0) throws(StateError) -> Bool {
        try write(.durable) { db in
            let (known, knownState) = (try RootTable.root(db), try RootTable.stateBorn(db))
            guard known != root || knownState != state else { return false }
            try RootTable.put(root, stateBorn: state, db)
            guard let known else { return false }
            let births = [(known.born, root.born), (knownState, state)]
            if births.contains(where: { $0 != 0 && $1 != 0 && $0 != $1 }) {
                try FolderTable.update(db) { $0.isCopy = true }
            }
            guard known.isSame(onAnotherDevice: root) else { return false }
            try RootTable.renumber(from: known.device, to: root.device, db)
            return true
        }
    }
}

/// What `folder` knows of the folder's own directory, and the number of its disk in all rows.
private enum RootTable {
    /// `nil` where it is not known.
    static func root(_ db: Database) throws -> FileIdentity? {
        var row = try SQLStatement(db, "SELECT root_device, root_inode, root_born_ns FROM folder")
        defer { row.rewind() }
        guard try row.step(), !row.isNull(0) else { return nil }
        return FileIdentity(device: row.uint64(0), inode: row.uint64(1), born: row.int64(2))
    }

    /// 0 where it is not known.
    static func stateBorn(_ db: Database) throws -> Int64 {
        var row = try SQLStatement(db, "SELECT state_born_ns FROM folder")
        defer { row.rewind() }
        guard try row.step(), !row.isNull(0) else { return 0 }
        return row.int64(0)
    }

    static func put(_ root: FileIdentity, stateBorn: Int64, _ db: Database) throws {
        var update = try SQLStatement(
            db, "UPDATE folder SET root_device = ?, root_inode = ?, root_born_ns = ?, state_born_ns = ?")
        update.bind(root.device)
        update.bind(root.inode)
        update.bind(root.born)
        update.bind(stateBorn)
        try update.run()
    }

    static func renumber(from old: UInt64, to new: UInt64, _ db: Database) throws {
        func run(_ sql: StaticString) throws {
            var update = try SQLStatement(db, sql)
            update.bind(new)
            update.bind(old)
            try update.run()
        }
        try run("UPDATE local SET device = ? WHERE device = ?")
        try run("UPDATE base SET device = ? WHERE device = ?")
        try run("UPDATE sent SET device = ? WHERE device = ?")
        try run("UPDATE provenance SET origin_device = ? WHERE origin_device = ?")
        try run("UPDATE provenance SET parted_device = ? WHERE parted_device = ?")
        try renumberAssets(
            "SELECT rowid, assets FROM base WHERE assets <> ''", "UPDATE base SET assets = ? WHERE rowid = ?",
            from: old, to: new, db)
        try renumberAssets(
            "SELECT rowid, assets FROM sent WHERE assets <> ''", "UPDATE sent SET assets = ? WHERE rowid = ?",
            from: old, to: new, db)
    }

    private static func renumberAssets(
        _ select: StaticString, _ update: StaticString, from old: UInt64, to new: UInt64, _ db: Database
    ) throws {
        var rows = try SQLStatement(db, select)
        var changed: [(row: Int64, assets: String)] = []
        while try rows.step() {
            guard var assets = LineList.agreedAssets(rows.bytes(1)) else { throw rows.damaged(1, "assets") }
            guard assets.contains(where: { $0.file?.device == old }) else { continue }
            for index in assets.indices where assets[index].file?.device == old { assets[index].file?.device = new }
            changed.append((rows.int64(0), LineList.text(assets)))
        }
        var update = try SQLStatement(db, update)
        for (row, assets) in changed {
            update.bind(assets)
            update.bind(row)
            try update.run()
        }
    }
}
