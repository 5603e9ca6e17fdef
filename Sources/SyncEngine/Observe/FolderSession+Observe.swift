import BitCollections
import LocalFolder
import Logging
import StateStorage
import SyncModel
import SyncPlanning
import SystemPackage

/// Looking at the folder: scan what is owed, tell what each file is to the zone, and take it into the local tree.
extension FolderSession {
    /// Scans everything that is owed. Observations are stored before anything is concluded from them.
    func observe() throws {
        let due = inbox.take(now)
        if due.isEverything {
            looks.oweAll()
            checkRoot()
        }
        looks.owe(due.paths)
        looks.owe(dueAt: now, unreadable: unobserved.unreadablePaths)
        continueAudit()
        guard isRootSafe, !looks.isEmpty else { return }
        if looks.paths.contains(Self.ignoreFile) { looks.oweAll() }
        if looks.isWhole { readRules() }
        let isWhole = looks.isWhole
        var began = environment.clock.milliseconds
        guard let (scope, begun) = looks.take(leavingOut: rules.current) else { return }
        let scanner = FolderScanner(root: environment.root, rules: rules.current)
        let walk: FolderWalk
        // It tells of files by the rows that they were loaded into.
        if let begun, trees.areFilesAsLoaded {
            (walk, began) = (begun.finish(), begun.began)
        } else {
            walk = self.walk(scope, with: scanner)
        }
        let result = scanner.finish(
            walk, now: environment.clock.wall(), restless: restless.neverResting(now: now))
        if let error = result.rootError {
            // Of nothing in it is anything known: it is still to be looked at.
            looks.oweAll()
            return note(rootProblem: .folderUnreadable(.folder(at: environment.root.path, "listed", error)))
        }
        do {
            try take(result, isWhole: isWhole, scope: scope)
            try storeRules(after: result, isWhole: isWhole)
        } catch {
            // What was seen could not be stored: it is still to be looked at.
            looks.owe(scope)
            throw error
        }
        if isWhole {
            finishAudit(begunAt: began)
            try adopt(conflictCopies: result.conflictCopies)
            if !looks.hasLooked { trees.findFilesOfAssets() }
            looks.noteWhole(isWatched: environment.isFullyWatched(), now: now)
        }
        looks.noteLook(
            isUnreadable: unobserved.hasUnreadablePaths,
            isScarce: result.unreadable.contains(where: \.isForLackOfDescriptors), now: now)
        // What is owed since that walk began is looked at before anything is done.
        if begun != nil, !looks.isEmpty { try observe() }
    }

    private func walk(_ scope: ScanScope, with scanner: FolderScanner) -> FolderWalk {
        let unsettled = self.unsettled
        return scanner.walk(
            scope,
            unchanged: { path, stamp in
                guard !unsettled.contains(path), !restless.isTracked(path) else { return nil }
                return trees.local.settledRow(path, as: stamp)
            },
            previous: { path in
                trees.local[path].map {
                    LocalFile(path: $0.path, stamp: $0.stamp, hash: $0.hash, isSettled: !unsettled.contains(path))
                }
            },
            onDirectory: environment.placeWatch)
    }

    /// The walk for the first look: as any other one at the whole folder, but that nothing is known but what is stored. `nil`
    /// where nobody would tell what is done after it.
    static func firstWalk(
        over files: LocalTree, in environment: SessionEnvironment, leavingOut rules: IgnoreRules
    ) -> FirstWalk? {
        guard environment.isWatched else { return nil }
        let root = environment.root
        // A simulation does one thing at a time.
        let isAside = environment.executor == nil
        return FirstWalk(
            leavingOut: rules, at: environment.clock.milliseconds, isAside: isAside, placeWatch: environment.placeWatch
        ) { onDirectory in
            FolderScanner(root: root, rules: rules).walk(
                .whole, unchanged: { path, stamp in files.settledRow(path, as: stamp) }, onDirectory: onDirectory)
        }
    }

    /// - Parameter doubted: where another file was looked for already since the scan began.
    private func take(_ result: ScanResult, isWhole: Bool, scope: ScanScope, doubted: Set<FolderPath> = []) throws {
        var upserts: [LocalEntry] = []
        var knownCount = result.unchanged.count
        for file in result.files {
            if file.isSettled {
                foundSettled(file)
                unsettled.remove(file.path)
            } else {
                lookAgain(at: file.path, isUnsettled: true)
            }
            let old = trees.local[file.path]
            if old != nil { knownCount += 1 }
            let form: FileForm
            if let old, old.hash == file.hash, !old.isHeld {
                if old.stamp == file.stamp, old.isSettled == file.isSettled { continue }
                form = old.form
            } else {
                guard let read = try self.form(of: file) else {
                    lookAgain(at: file.path, isUnsettled: true)
                    continue
                }
                form = read
            }
            let entry = LocalEntry(
                path: file.path, stamp: file.stamp, hash: file.hash, form: form, isSettled: file.isSettled)
            if entry != old { upserts.append(entry) }
        }
        for path in result.changing { lookAgain(at: path, isUnsettled: true) }
        linkedNames.take(result.linked, isWhole: isWhole)
        defer { lookAtOtherNames(of: result.linked) }
        // Every file that is known was found: the usual look.
        let isComplete = isWhole && knownCount == trees.local.count
        let removals = isComplete ? [] : absentPaths(result, scope: scope)
        updateUnobserved(result, scope: scope)
        unobserved.takeStrangers(missing: removals, isWhole: isWhole, in: trees) { reader.stamp(of: $0) == nil }
        guard !upserts.isEmpty || !removals.isEmpty else { return updateDirectoriesInPlace(result, scope: scope) }
        try environment.store.commitLocal(upserts: upserts, removals: removals)
        for path in removals {
            trees.setLocal(nil, at: path)
            unsettled.remove(path)
            restless.forget(path)
        }
        let new = upserts.filter { !trees.local.contains($0.path) }
        let touched = upserts.filter { $0.isSameContent(as: trees.local[$0.path]) }
        for entry in upserts { trees.setLocal(entry, at: entry.path) }
        updateDirectoriesInPlace(result, scope: scope)
        let resaved = upserts.compactMap(trees.touched)
        if !resaved.isEmpty {
            try environment.store.note(files: resaved)
            for base in resaved { trees.setBase(base, named: base.name) }
        }
        forgetRefusals(near: removals + Set(upserts.map(\.path)).subtracting(touched.map(\.path)))
        refusals.forget(ofTouched: touched)
        noteTargets(of: upserts)
        // Files are read in the order of their paths, and may refer to any of those that come after them.
        if !new.isEmpty { try lookForTargets() }
        try noteUncovered(new)
        doubt(upserts, doubted: doubted)
        try takeFreedNames(at: Set(removals.filter { !result.isObstructed($0) }))
    }

    /// Files that the scan proved to be gone, or in whose place it found something else.
    private func absentPaths(_ result: ScanResult, scope: ScanScope) -> [FolderPath] {
        let told = Set(result.files.map(\.path)).union(result.changing)
        func isSeen(_ path: FolderPath) -> Bool {
            told.contains(path) || trees.local.row(of: path).map(result.unchanged.contains) ?? false
        }
        func isGone(_ path: FolderPath) -> Bool {
            !isSeen(path) && (result.provesAbsence(of: path) || result.isObstructed(path))
        }
        switch scope {
        case .whole:
            let unseen = trees.local.paths { !result.unchanged.contains($0) }
            return unseen.filter { isGone($0) || !isSeen($0) && rules.isIgnored($0) }
        case .paths(let paths):
            let places = Set(paths).union(result.obstacles)
            var absent = places.filter { trees.local[$0] != nil && isGone($0) }
            // A directory that is gone, was listed, or is something else now takes what was known below it along.
            let folders = places.union(result.listed.compactMap(\.self)).filter { trees.hasFiles(below: $0) }
            guard !folders.isEmpty else { return Array(absent) }
            for path in trees.local.paths(below: folders) where !isSeen(path) {
                if isGone(path) || rules.isIgnored(path) { absent.insert(path) }
            }
            return Array(absent)
        }
    }

    /// A new file that is another record's file by its inode was moved here, unless that one still stands where it
    /// was: look before anything is sent as new.
    private func doubt(_ entries: [LocalEntry], doubted: Set<FolderPath>) {
        let places = entries.flatMap { entry -> [FolderPath] in
            guard let place = trees.formerPath(of: entry), let former = trees.local[place] else { return [] }
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
        let result = scanner.scan(
            scope, now: environment.clock.wall(),
            previous: { path in
                trees.local[path].map {
                    LocalFile(path: path, stamp: $0.stamp, hash: $0.hash, isSettled: $0.isSettled)
                }
            })
        do {
            // Another file may stand there by now.
            try take(result, isWhole: false, scope: scope, doubted: doubted.union(places))
        } catch {
            looks.owe(places)
        }
    }

    /// Where a file of which copies were sent rests for so long, what it ends as is sent at once.
    private static let rest = Duration.seconds(2)

    private func foundSettled(_ file: LocalFile) {
        guard restless.isTracked(file.path) else { return }
        let age = Duration.nanoseconds(environment.clock.wall() - file.stamp.changed)
        let isAgreed = trees.baseRecord(at: file.path)?.hash == file.hash
        restless.foundSettled(file.path, isAgreed: isAgreed, isOld: age >= Self.rest)
        if restless.due(file.path) != nil { inbox.requestLook(at: file.path, after: Self.rest, now: now) }
    }

    /// Looks at the other names of files that were seen to have changed under one.
    private func lookAtOtherNames(of found: [LinkedName]) {
        for name in found {
            let others = linkedNames.outdated(by: name) { trees.local[$0]?.stamp }
            for path in others {
                inbox.requestLook(at: path, after: restless.delay(for: name.path, now: now), now: now)
            }
        }
    }

    /// Looks again soon: the file was being written to, or its times cannot yet tell a further write. A file that never
    /// rests is looked at less and less often.
    func lookAgain(at path: FolderPath, isUnsettled: Bool) {
        if isUnsettled { unsettled.insert(path) }
        inbox.requestLook(at: path, after: restless.delay(for: path, now: now), now: now)
        restless.foundUnsettled(path, now: now)
    }

}

extension LocalEntry {
    fileprivate func isSameContent(as old: LocalEntry?) -> Bool {
        hash == old?.hash && form == old?.form && stamp.mode == old?.stamp.mode && stamp.modified == old?.stamp.modified
    }
}
