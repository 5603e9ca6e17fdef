import BitCollections
import FolderKnowledge
import LocalFolder
import RecordReceiving
import RecordTrees
import SessionCore
import SyncModel
import SyncTiming

/// Taking in what a look found: a part at a time, so that whoever asks something waits for no more than one of them, and a
/// folder of any size takes no more memory.
extension FolderObserver {
    /// Takes in what a walk found, and reads what it found changed.
    /// - Parameter doubted: Where another file was looked for already since the look began.
    /// - Returns: What was found but for the files that were taken in; `nil` where the session is to stop, and the look did not
    ///   come to its end.
    nonisolated(nonsending) func take(
        _ walk: FolderWalk, by scanner: FolderScanner, isWhole: Bool, scope: ScanScope,
        doubted: Set<FolderPath> = []
    ) async throws -> Look? {
        var walk = walk
        defer { looks.endLook() }
        tellTooLarge(in: &walk)
        // By the walk alone: what it found is there, whatever becomes of it while others are read. They go with the last part,
        // so that all that is concluded from them is concluded in one turn.
        let removals = absentPaths(walk, scope: scope)
        var (moved, missed) = ([LocalEntry](), [FolderPath]())
        // Others get a turn while files are read: what is under way is owed still.
        if !walk.unread.isEmpty { looks.goOn(unread: walk.unread.count) }
        while true {
            let (restless, clock) = (restless.neverResting(now: now), environment.clock.wall())
            let (count, bytes) = (environment.filesAtATime, environment.bytesAtATime)
            let files: [LocalFile]
            if environment.executor == nil {
                (walk, files) = await Self.readAside(
                    walk, atMost: count, bytes: bytes, by: scanner, now: clock, restless: restless)
            } else {
                // A simulation does one thing at a time.
                files = scanner.read(&walk, atMost: count, bytes: bytes, now: clock, restless: restless)
            }
            let part = try take(files, removals: walk.unread.isEmpty ? removals : [])
            moved += part.moved
            missed += part.missed
            if walk.unread.isEmpty { break }
            looks.goOn(unread: walk.unread.count)
            await Task.yield()
            guard !stop.isMade else {
                // What was taken in is not new at the next start.
                if looks.takeNewFiles() { try lookForTargets() }
                try knowledge.storeProvenance()
                return nil
            }
        }
        let result = walk.result
        for path in result.changing { lookAgain(at: path, isUnsettled: true) }
        linkedNames.take(result.linked, isWhole: isWhole)
        lookAtOtherNames(of: result.linked)
        updateUnobserved(result, scope: scope)
        unobserved.takeStrangers(missing: removals, isWhole: isWhole, in: knowledge.trees) {
            environment.reader.stamp(of: $0) == nil
        }
        updateDirectoriesInPlace(result, scope: scope)
        // Files are read in the order of their paths, and may refer to any of those that come after them.
        if looks.takeNewFiles() { try lookForTargets() }
        await doubt(moved, doubted: doubted)
        try committer.receiveAgain(
            UnnamedAssets(knowledge).takingFreedNames(at: Set(removals.filter { !result.isObstructed($0) })))
        return Look(
            result: result,
            missed: missed + result.changing.filter { !knowledge.trees.local.contains($0) },
            owesUnread: oweUnread(missing: removals))
    }

    /// Off the session's own executor: reading blocks for the disk, for minutes where a file is large, and whoever asks
    /// something meanwhile has an answer.
    @concurrent
    private static func readAside(
        _ walk: FolderWalk, atMost count: Int, bytes: Int64, by scanner: FolderScanner, now: Int64,
        restless: Set<FolderPath>
    ) async -> (FolderWalk, [LocalFile]) {
        var walk = walk
        let files = scanner.read(&walk, atMost: count, bytes: bytes, now: now, restless: restless)
        return (walk, files)
    }

    /// What a look found besides the files that were taken in.
    struct Look {
        let result: ScanResult
        /// Files that are not known: they changed while they were read.
        let missed: [FolderPath]
        /// Whether files are to be read now that were not before.
        let owesUnread: Bool
    }

    /// Takes in files as they are now, and that others are gone.
    /// - Returns: Those of them that were at other paths when both sides last agreed, and those of which nothing is known: they
    ///   changed since they were read.
    private func take(
        _ files: [LocalFile], removals: [FolderPath]
    ) throws -> (moved: [LocalEntry], missed: [FolderPath]) {
        let upserts = try files.compactMap(entry(of:))
        try take(upserts, removals: removals)
        // Where each file was to be stored, all of them are known.
        let missed =
            upserts.count == files.count ? [] : files.map(\.path).filter { !knowledge.trees.local.contains($0) }
        return (upserts.filter { knowledge.trees.formerPath(of: $0) != nil }, missed)
    }

    private func take(_ upserts: [LocalEntry], removals: [FolderPath]) throws {
        guard !upserts.isEmpty || !removals.isEmpty else { return }
        let (new, touched) = try knowledge.take(upserts, removals: removals)
        for path in removals { restless.forget(path) }
        setbacks.release(near: removals + Set(upserts.map(\.path)).subtracting(touched.map(\.path)))
        setbacks.forgetRefusals(ofTouched: touched)
        if !new.isEmpty { looks.noteNewFiles() }
        try noteUncovered(new)
    }

    /// What is to be stored of a file; `nil` where that is what it was, or it is to be looked at again.
    private func entry(of file: LocalFile) throws -> LocalEntry? {
        if file.isSettled {
            foundSettled(file)
            restless.prove(file.path)
        } else {
            lookAgain(at: file.path, isUnsettled: true)
        }
        let old = knowledge.trees.local[file.path]
        let form: FileForm
        if let old, old.hash == file.hash, !old.isHeld {
            if old.stamp == file.stamp, old.isSettled == file.isSettled { return nil }
            form = old.form
        } else {
            guard let read = try forms.form(of: file) else {
                lookAgain(at: file.path, isUnsettled: true)
                return nil
            }
            form = read
        }
        let entry = LocalEntry(
            path: file.path, stamp: file.stamp, hash: file.hash, form: form, isSettled: file.isSettled)
        return entry == old ? nil : entry
    }

    /// Files that a walk proved to be gone, or in whose place it found something else.
    private func absentPaths(_ walk: FolderWalk, scope: ScanScope) -> [FolderPath] {
        guard !knowledge.trees.local.isEmpty else { return [] }
        let result = walk.result
        let told = Set(result.files.map(\.path)).union(result.changing).union(walk.unread)
        func isSeen(_ path: FolderPath) -> Bool {
            told.contains(path) || knowledge.trees.local.row(of: path).map(result.unchanged.contains) ?? false
        }
        func isGone(_ path: FolderPath) -> Bool {
            !isSeen(path) && (result.provesAbsence(of: path) || result.isObstructed(path))
        }
        switch scope {
        case .whole:
            let unseen = knowledge.trees.local.paths { !result.unchanged.contains($0) }
            return unseen.filter { isGone($0) || !isSeen($0) && rules.isIgnored($0) }
        case .paths(let paths):
            let places = Set(paths).union(result.obstacles)
            var absent = places.filter { knowledge.trees.local[$0] != nil && isGone($0) }
            // A directory that is gone, was listed, or is something else now takes what was known below it along.
            let folders = places.union(result.listed.compactMap(\.self)).filter { knowledge.trees.hasFiles(below: $0) }
            guard !folders.isEmpty else { return Array(absent) }
            for path in knowledge.trees.local.paths(below: folders) where !isSeen(path) {
                if isGone(path) || rules.isIgnored(path) { absent.insert(path) }
            }
            return Array(absent)
        }
    }

    /// A new file that is another record's file by its inode was moved here, unless that one still stands where it
    /// was: look before anything is sent as new.
    nonisolated(nonsending) private func doubt(_ entries: [LocalEntry], doubted: Set<FolderPath>) async {
        let places = entries.flatMap { entry -> [FolderPath] in
            guard let place = knowledge.trees.formerPath(of: entry), let former = knowledge.trees.local[place] else {
                return []
            }
            // The files that it names went along, or are files of their own from now on.
            return [place] + former.form.attachments.map(\.path)
        }
        guard !doubted.isSuperset(of: places) else {
            // Somebody may exchange files faster than anybody can look at them: not for ever.
            looks.owe(places)
            return
        }
        let scanner = FolderScanner(root: environment.root, rules: rules.current)
        let scope = ScanScope.paths(Set(places).sorted())
        let walk = scanner.walk(
            scope,
            previous: { path in
                knowledge.trees.local[path].map {
                    LocalFile(path: path, stamp: $0.stamp, hash: $0.hash, isSettled: $0.isSettled)
                }
            })
        do {
            // Another file may stand there by now.
            let look = try await take(
                walk, by: scanner, isWhole: false, scope: scope, doubted: doubted.union(places))
            if look == nil { looks.owe(places) }
        } catch {
            looks.owe(places)
        }
    }
}
