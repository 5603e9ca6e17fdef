import BitCollections
import FolderKnowledge
import LocalFolder
import Logging
import ProblemSentences
import RecordTrees
import SessionCore
package import SyncModel
import SyncTiming
import SystemPackage

/// Looking at the folder: scan what is owed, tell what each file is to the zone, and take it into the local tree.
extension FolderObserver {
    /// Scans everything that is owed. Observations are stored before anything is concluded from them.
    package nonisolated(nonsending) func observe() async throws {
        let due = inbox.take(now)
        if due.isEverything {
            looks.oweAll()
            checkRoot()
        }
        looks.owe(due.paths)
        looks.owe(dueAt: now, unreadable: unreadablePaths)
        continueAudit()
        guard isRootSafe, !looks.isEmpty else { return }
        if looks.paths.contains(.ignoreFile) { looks.oweAll() }
        if looks.isWhole { readRules() }
        let isWhole = looks.isWhole
        var began = environment.clock.milliseconds
        guard let (scope, begun) = looks.take(leavingOut: rules.current) else { return }
        let scanner = FolderScanner(root: environment.root, rules: rules.current)
        let walk: FolderWalk
        // It tells of files by the rows that they were loaded into.
        if let begun, knowledge.trees.areFilesAsLoaded {
            (walk, began) = (begun.finish(), begun.began)
        } else {
            walk = self.walk(scope, with: scanner)
        }
        if let error = walk.result.rootError {
            // Of nothing in it is anything known: it is still to be looked at.
            looks.oweAll()
            return note(rootProblem: .folderUnreadable(.folder(at: environment.root.path, "listed", error)))
        }
        let look: Look
        do {
            guard let found = try await take(walk, by: scanner, isWhole: isWhole, scope: scope) else {
                return looks.owe(scope)
            }
            look = found
            // What is noted of new files is noted once: no later look finds them new.
            try knowledge.storeProvenance()
            try takeRules(missed: look.missed, isWhole: isWhole)
            try conflictCopies.adopt(look.result.conflictCopies)
        } catch {
            // What was seen could not be stored: it is still to be looked at.
            looks.owe(scope)
            throw error
        }
        if isWhole {
            finishAudit(begunAt: began)
            if !looks.hasLooked { knowledge.findFilesOfAssets() }
            looks.noteWhole(isWatched: environment.isFullyWatched(), now: now)
        }
        looks.noteLook(
            isUnreadable: unobserved.hasUnreadablePaths || rules.problem != nil,
            isScarce: look.result.unreadable.contains(where: \.isForLackOfDescriptors), now: now)
        // What is owed since that walk began is looked at before anything is done, and what was moved is known before anything
        // counts as deleted.
        if begun != nil || look.owesUnread, !looks.isEmpty { try await observe() }
    }

    /// What could not be read when it was last looked at.
    private var unreadablePaths: Set<FolderPath> {
        rules.problem == nil ? unobserved.unreadablePaths : unobserved.unreadablePaths.union([.ignoreFile])
    }

    private func walk(_ scope: ScanScope, with scanner: FolderScanner) -> FolderWalk {
        scanner.walk(
            scope,
            unchanged: { path, stamp in
                guard restless.isKnown(byStampAt: path) else { return nil }
                return knowledge.trees.local.settledRow(path, as: stamp)
            },
            previous: { path in
                knowledge.trees.local[path].map {
                    let isKnown = restless.isProven(path) && !$0.hash.isOfUnread
                    return LocalFile(path: $0.path, stamp: $0.stamp, hash: $0.hash, isSettled: isKnown)
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

    /// Where a file of which copies were sent rests for so long, what it ends as is sent at once.
    private static let rest = Duration.seconds(2)

    func foundSettled(_ file: LocalFile) {
        guard restless.isTracked(file.path) else { return }
        let age = Duration.nanoseconds(environment.clock.wall() - file.stamp.changed)
        let isAgreed = knowledge.trees.baseRecord(at: file.path)?.hash == file.hash
        restless.foundSettled(file.path, isAgreed: isAgreed, isOld: age >= Self.rest)
        if restless.due(file.path) != nil { inbox.requestLook(at: file.path, after: Self.rest, now: now) }
    }

    /// Looks at the other names of files that were seen to have changed under one.
    func lookAtOtherNames(of found: [LinkedName]) {
        for name in found {
            let others = linkedNames.outdated(by: name) { knowledge.trees.local[$0]?.stamp }
            for path in others {
                inbox.requestLook(at: path, after: restless.delay(for: name.path, now: now), now: now)
            }
        }
    }

    /// Looks again soon: the file was being written to, or its times cannot yet tell a further write. A file that never
    /// rests is looked at less and less often.
    package func lookAgain(at path: FolderPath, isUnsettled: Bool) {
        if isUnsettled { restless.doubt(path) }
        inbox.requestLook(at: path, after: restless.delay(for: path, now: now), now: now)
        restless.foundUnsettled(path, now: now)
    }

    /// Notes that the folder was not as planned with, and has to be looked at.
    package func superseded(_ action: Action) {
        // What it was refused for before is not what it waits for now.
        setbacks.forgetRefusal(of: action)
        setbacks.cameToNothing(action)
        looks.owe(action.path)
        // Its bytes may be others although its stamp is the same: read it again.
        restless.doubt(action.path)
        if case .moveFile(let target) = action.kind { looks.owe(target) }
        looks.owe(knowledge.trees.local[action.path]?.form.attachments.map(\.path) ?? [])
        if let name = action.record { knowledge.mark(name) }
        knowledge.mark(action.path)
    }
}
