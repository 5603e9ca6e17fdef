import FolderKnowledge
import FolderObserving
import FolderWriting
import LocalFolder
import RecordTrees
import SessionCore
import SyncModel

/// Renames in upper and lower case alone, on a disk that takes both names for one.
///
/// A directory that was renamed so elsewhere is renamed as a whole here, once the zone has nothing left under the old name: the
/// files that it has in there are the same directory's, and so are those that only this folder has, which go along. As long as
/// the zone has both directories, this disk can have but one: what belongs in the other one waits, and a person is told.
extension Importer {
    /// Gives the directories above a path the names that it has them under, where they differ in case alone.
    /// - Returns: Why one of them keeps its name, and what has to leave first; `nil` where none is in the way.
    func respell(
        onTheWayTo path: FolderPath, _ spellings: inout Spellings, in batch: WriteBatch
    ) throws(FolderError) -> (reason: BlockedReason, place: FolderPath)? {
        while let (listed, asked) = environment.writer.otherDirectory(onTheWayTo: path, batch: batch) {
            if let file = stayer(in: listed, &spellings) {
                return (file == listed ? .otherCase(listed) : .otherDirectory(listed, holding: file), file)
            }
            guard try environment.writer.respell(listed, as: asked, batch: batch) else {
                if let above = listed.parent { observer.looks.owe(above) } else { observer.looks.oweAll() }
                return nil
            }
            spellings.note(listed, as: asked)
        }
        return nil
    }

    /// What keeps a directory from another name: a file in it that the zone has there still, or that is about to be deleted, or
    /// the directory itself, where the zone has such a file and the folder has not.
    private func stayer(in directory: FolderPath, _ spellings: inout Spellings) -> FolderPath? {
        if let known = spellings.stayers[directory] { return known }
        let names = Set([directory, spellings.knownPath(of: directory)])
        let files = knowledge.trees.local.paths(below: names).filter { stays($0, in: names) }
        let isClaimed = names.contains { knowledge.trees.claims.isClaimed(below: $0) }
        let stayer = files.min() ?? (isClaimed ? directory : nil)
        if let stayer { spellings.stayers[directory] = stayer }
        return stayer
    }

    private func stays(_ path: FolderPath, in directories: Set<FolderPath>) -> Bool {
        func isInside(_ path: FolderPath) -> Bool { directories.contains { path.isBelow($0) } }
        if let record = knowledge.trees.baseRecord(at: path) {
            if let place = knowledge.trees.path(of: record.name) { return isInside(place) }
            // One that was deleted there goes first: under another name it would be a file that was renamed here, and stay.
            return knowledge.trees.local[path]?.hash == record.hash
        }
        guard let owners = knowledge.trees.owners[path] else { return knowledge.trees.isAgreed(at: path) }
        // An asset goes with the files that name it, which are looked at themselves.
        return !owners.allSatisfy(isInside)
    }
}

/// What moves come to know of names that differ in case alone, while they are made.
struct Spellings {
    /// The directories that have another name by now, in the order in which they got it.
    private var directories: [(old: FolderPath, new: FolderPath)] = []
    /// What keeps a directory from another name.
    var stayers: [FolderPath: FolderPath] = [:]
    /// Where the files are that are to leave.
    private var leaving: Set<FolderPath>
    /// Moves whose targets another file answers to that is to leave as well.
    private var waiting: [(action: Action, target: FolderPath, other: FolderPath)] = []
    /// Where files were that stepped aside.
    private var sidesteps: Set<FolderPath> = []

    init(leaving paths: Set<FolderPath>) { leaving = paths }

    // MARK: Directories

    mutating func note(_ directory: FolderPath, as new: FolderPath) { directories.append((directory, new)) }

    /// Where a file is now that was known at a path.
    func place(of path: FolderPath) -> FolderPath {
        directories.reduce(path) { $0.moved(from: $1.old, to: $1.new) }
    }

    /// Where the directory was known that has a path now.
    func knownPath(of directory: FolderPath) -> FolderPath {
        directories.reversed().reduce(directory) { $0.moved(from: $1.new, to: $1.old) }
    }

    /// What is to be looked at: the files that did not move by themselves are known where they were.
    var paths: [FolderPath] { directories.flatMap { [$0.old, knownPath(of: $0.old), $0.new] } }

    // MARK: Files

    /// Lets a move wait for another one.
    /// - Parameter other: The file that answers to its target.
    /// - Returns: Whether that is to leave.
    mutating func wait(_ action: Action, to target: FolderPath, for other: FolderPath) -> Bool {
        guard other != action.path, leaving.contains(other), !sidesteps.contains(action.path) else { return false }
        waiting.append((action, target, other))
        return true
    }

    /// The moves to be tried again after the others. In a circle one of them first steps aside; the next plan brings it home.
    /// - Parameter aside: A free place for a record beside a path.
    mutating func takeWaiting(
        steppingAside aside: (RecordName, FolderPath) -> FolderPath?
    ) -> [(action: Action, target: FolderPath)] {
        defer { waiting = [] }
        let sources = Set(waiting.map(\.action.path))
        var moves = waiting.map { (action: $0.action, target: $0.target) }
        // Each waits for another one of them: some go round in a circle.
        if leaving == sources, let index = waiting.indices.first(where: isInCircle),
            let name = moves[index].action.record, let place = aside(name, moves[index].target)
        {
            let first = moves.remove(at: index)
            sidesteps.insert(first.action.path)
            moves.insert((first.action, place), at: 0)
        } else if leaving == sources {
            // Nothing is to leave any more: each tells what it waits for.
            leaving = []
            return moves
        }
        leaving = sources
        return moves
    }

    private func isInCircle(_ index: Int) -> Bool {
        let others = Dictionary(waiting.map { ($0.action.path, $0.other) }) { first, _ in first }
        let start = waiting[index].action.path
        var next = others[start]
        for _ in waiting where next != start { next = next.flatMap { others[$0] } }
        return next == start
    }
}

extension FolderPath {
    /// The path of what is at or below a directory once that has another one.
    fileprivate func moved(from old: FolderPath, to new: FolderPath) -> FolderPath {
        guard self == old || isBelow(old) else { return self }
        return FolderPath(bytes: new.bytes + bytes[old.bytes.count...]) ?? self
    }
}
