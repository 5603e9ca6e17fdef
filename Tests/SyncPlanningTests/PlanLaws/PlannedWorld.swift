import RecordTrees
import SeededRandomness
import SyncModel
import SyncPlanning

/// A folder and a zone in which every action succeeds at once: the trees, and what the zone's records hold.
///
/// The records are of files alone. What texts name, and all that can fail, is left to the simulation.
struct PlannedWorld {
    private(set) var trees = Self.emptyTrees
    /// What each record of the zone holds.
    private(set) var contents: [RecordName: ContentHash] = [:]
    private var planner = Planner { _ in false }
    private var inodes: UInt64 = 0
    private var tags = 0

    private static var emptyTrees: SyncTrees {
        SyncTrees(fileRecordType: "File") { path, name, attempt in
            FolderPath("\(path)\(String(repeating: "~", count: attempt))\(name)")!
        }
    }

    // MARK: Both sides

    mutating func putFile(_ hash: ContentHash, at path: FolderPath) {
        inodes += 1
        let modified = Int64(inodes)
        let stamp = FileStamp(
            device: 1, inode: inodes, size: 1, modified: modified, changed: modified, mode: 0o644, born: modified)
        trees.setLocal(LocalEntry(path: path, stamp: stamp, hash: hash, form: .file), at: path)
    }

    /// As a program does that writes into the file.
    mutating func edit(_ path: FolderPath, to hash: ContentHash) {
        inodes += 1
        var entry = trees.local[path]!
        entry.hash = hash
        entry.stamp.modified = Int64(inodes)
        entry.stamp.changed = Int64(inodes)
        trees.setLocal(entry, at: path)
    }

    /// Over whatever is there.
    mutating func rename(_ path: FolderPath, to target: FolderPath) {
        var entry = trees.local[path]!
        entry.path = target
        trees.setLocal(nil, at: path)
        trees.setLocal(entry, at: target)
    }

    mutating func removeFile(_ path: FolderPath) { trees.setLocal(nil, at: path) }

    /// - Parameter path: Where it claims to be; where it was without one.
    mutating func saveRecord(_ name: RecordName, _ hash: ContentHash, path: FolderPath? = nil, created: Int64 = 0) {
        tags += 1
        let known = trees.remote[name]
        contents[name] = hash
        trees.setRemote(
            RemoteEntry(
                name: name, recordType: "File", changeTag: "\(tags)", path: path ?? known!.path,
                createdMilliseconds: known?.createdMilliseconds ?? created), named: name)
    }

    mutating func removeRecord(_ name: RecordName) {
        contents[name] = nil
        trees.setRemote(nil, named: name)
    }

    /// Both sides agree on the file at a path as this record.
    /// - Parameter base: Where the state says that they had it, where that is another path.
    mutating func agree(on name: RecordName, at path: FolderPath, base: FolderPath? = nil) {
        let entry = trees.local[path]!
        trees.setBase(
            BaseEntry(
                name: name, recordType: "File", path: base ?? path, hash: entry.hash,
                changeTag: trees.remote[name]!.changeTag, createdMilliseconds: trees.remote[name]!.createdMilliseconds,
                file: entry.stamp.file, modified: entry.stamp.modified), named: name)
    }

    // MARK: Plans

    /// The plan; what of it waits for a person's word is in the next one.
    /// - Parameter passesOverAgreed: Whether what is agreed is passed over, as it is outside of tests.
    mutating func plan(passesOverAgreed: Bool = true) -> Plan {
        let plan = planner.plan(&trees, passesOverAgreed: passesOverAgreed)
        for (name, standing) in plan.renewed { trees.note(standing, of: name) }
        planner.approved = planner.approved.union(ApprovedDeletions(of: plan.awaitingApproval))
        return plan
    }

    /// Looks at everything again, as after hours.
    mutating func lookAtAll() { trees.markAllDirty() }

    /// Carries out an action, or changes nothing where a precondition of it does not hold any more.
    mutating func carryOut(_ action: Action) {
        let here = trees.local[action.path]
        guard here.map({ LocalVersion(stamp: $0.stamp, hash: $0.hash) }) == action.local,
            action.record.flatMap({ trees.remote[$0]?.changeTag }) == action.changeTag
        else { return }
        switch action.kind {
        case .createRecord:
            let name = action.record ?? newName(for: action.path)
            saveRecord(name, here!.hash, path: action.path, created: 100)
            agree(on: name, at: action.path)
        case .updateRecord(_, let path):
            let name = action.record!
            saveRecord(name, here!.hash, path: path ? action.path : nil)
            agree(on: name, at: action.path, base: path ? nil : trees.base[name]!.path)
        case .deleteRecord, .deleteFile, .forget:
            if action.kind == .deleteRecord { removeRecord(action.record!) }
            if action.kind == .deleteFile { removeFile(action.path) }
            trees.setBase(nil, named: action.record!)
        case .moveFile(let target):
            guard target == action.path || trees.local[target] == nil else { return }
            let known = trees.base[action.record!]!
            rename(action.path, to: target)
            var base = known
            base.path = target
            trees.setBase(base, named: base.name)
        case .writeFile:
            let known = trees.base[action.record!]?.path
            putFile(contents[action.record!]!, at: action.path)
            agree(on: action.record!, at: action.path, base: action.local == nil ? nil : known)
        case .reconcile: reconcile(action.record!, with: here!)
        }
    }

    /// Equal files are one; of others, this one goes into a copy.
    private mutating func reconcile(_ name: RecordName, with here: LocalEntry) {
        let known = trees.base[name]?.path
        if contents[name] != here.hash {
            rename(here.path, to: FolderPath("\(here.path).conflict-\(name)-\(here.hash.hex.prefix(2))")!)
            putFile(contents[name]!, at: here.path)
        }
        agree(on: name, at: here.path, base: known)
    }

    private func newName(for path: FolderPath) -> RecordName {
        var name = "new/\(path)"
        while trees.remote[RecordName(name)] != nil || trees.base[RecordName(name)] != nil { name += "+" }
        return RecordName(name)
    }

    /// What a start reads back from the state, whose rows come in no order of their own. Marked is what differs alone.
    mutating func restart(using random: inout SeededGenerator) {
        let known = trees
        trees = Self.emptyTrees
        trees.load(
            local: known.local.values.shuffled(using: &random), remote: known.remote.values.shuffled(using: &random),
            base: known.base.values.shuffled(using: &random))
    }

    /// The records and paths that are to be looked at for the next plan.
    var marks: Set<String> {
        Set(trees.dirtyRecords.map(\.rawValue)).union(trees.dirtyPaths.map(\.description))
    }

    // MARK: What is there

    /// Every path that anything is at, or is said to be.
    var paths: Set<FolderPath> {
        Set(trees.local.keys).union(trees.remote.values.map(\.path)).union(trees.base.values.map(\.path))
    }

    /// The bytes of each file.
    var folder: [FolderPath: ContentHash] {
        Dictionary(uniqueKeysWithValues: trees.local.values.map { ($0.path, $0.hash) })
    }

    /// The bytes of each record, where it is shown.
    var zone: [FolderPath: ContentHash] {
        Dictionary(uniqueKeysWithValues: contents.map { (trees.path(of: $0.key)!, $0.value) })
    }

    /// What both sides agreed on, where they have it.
    var agreed: [FolderPath: ContentHash] {
        Dictionary(trees.base.values.map { ($0.path, $0.hash) }) { first, _ in first }
    }
}
