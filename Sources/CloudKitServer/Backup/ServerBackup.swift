import Glibc
import SystemPackage

/// Copies a server's data while it runs, or while it does not.
///
/// What a server needs is its database, which has its key, accounts, tokens and records, and of the assets those that the
/// database names. Uploads that no record names are left out: who sent them learns that they are gone, and sends them again.
/// Certificates lie where the server is told, outside of its data.
///
/// The order of what is written, each step durable before the next:
///
/// 1. `lock`, so that no server and no other backup is there meanwhile.
/// 2. `uploads/server.sqlite`, the database as it is at one moment (``DatabaseCopy``).
/// 3. `assets/`, what that copy names and is not there (``AssetCopier``). Where the server lost some of it meanwhile, again
///    from step 2 on (``BackupRounds``).
/// 4. `server.sqlite`, by a rename: what there was before is a whole backup until then, and this is one from then on.
/// 5. What is not named any more goes.
///
/// All of this is done in the earlier backup where there is one, else in `.NAME.part` beside the target, which gets the
/// target's name at last: rename(2) lets a directory take the place of nothing and of an empty directory only. A backup that
/// was interrupted is gone on with, by its names: `assets/xx/…` are whole, whoever put them there.
struct ServerBackup {
    let data: FilePath
    let target: FilePath
    /// Is told each step, and ends the backup by throwing.
    let observe: (BackupStep) throws -> Void

    func run() throws -> BackupReport {
        let source = try ServerMark.look(at: data)
        guard !BackupPlace.lies(target, in: data) else { throw ServerError.backupIntoData(target, data) }
        let use = try BackupPlace(at: target).use(for: source, at: target)
        let place = use == .new ? try unfinishedPlace() : target
        let lock = try lock(place)
        defer { lock.unlock() }
        // It was not held when that was looked at.
        if use == .new { try checkUnfinished(place) }
        guard try BackupPlace(at: target).use(for: source, at: target) == use else {
            throw ServerError.backupTargetInUse(target)
        }
        do {
            let report = try fill(place) {
                // A command does not wait for the lock, and what it has stored since would be gone.
                if use == .refresh { _ = try BackupPlace(at: target).use(for: source, at: target) }
            }
            if use == .new { try putInPlace(place) }
            return report
        } catch let error as ServerError where error == .backupOntoServer(target) {
            throw error
        } catch {
            throw ServerError.unfinishedBackup(error, in: place, of: target)
        }
    }

    /// Where a new backup is made.
    private func unfinishedPlace() throws -> FilePath {
        guard let name = target.lastComponent else { throw ServerError.backupOntoDisk(target) }
        let above = target.removingLastComponent()
        // A disk that is not mounted is not to be made up for by a directory of the same name.
        guard try BackupPlace.status(of: above.isEmpty ? "." : above) != nil else {
            throw ServerError.noPlaceForBackup(above)
        }
        guard access(above.isEmpty ? "." : above.string, W_OK | X_OK) == 0 else {
            throw ServerError.noNameForBackup(target, in: above, Errno(rawValue: errno))
        }
        let place = above.appending(".\(name.string).part")
        try checkUnfinished(place)
        return place
    }

    /// Where others may make names, too, it could be theirs, and read by them.
    private func checkUnfinished(_ place: FilePath) throws {
        guard let status = try BackupPlace.status(of: place) else { return }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
            throw ServerError.foreignUnfinishedBackup(place)
        }
    }

    private func lock(_ place: FilePath) throws -> DataDirectory {
        do {
            return try DataDirectory(locking: place)
        } catch let error as ServerError where error.code == .inUse {
            throw ServerError.backupTargetInUse(target)
        } catch let error as Errno {
            throw ServerError.file("lock", place, error)
        }
    }

    /// - Parameter check: Looks once more at the earlier backup that is there, right before its database is replaced.
    private func fill(_ place: FilePath, checking check: () throws -> Void) throws -> BackupReport {
        let files = try AssetFiles(in: place)
        let copier = AssetCopier(source: data, files: files, observe: observe)
        var rounds = BackupRounds()
        var copied: Set<[UInt8]> = []
        while true {
            let copy = try DatabaseCopy(of: data, at: place.appending("uploads").appending("server.sqlite"))
            let plan = BackupPlan(named: copy.assets, present: try copier.present())
            try observe(.databaseCopied(assets: plan.missing.count, bytes: plan.missingBytes))
            try checkSpace(for: plan, in: place)
            let lost = try copier.copy(plan.missing)
            for asset in plan.missing where lost[asset.sha256] == nil { copied.insert(asset.sha256) }
            guard rounds.isLast(lost: Set(lost.keys)) else { continue }

            let held = copy.assets.filter { lost[$0.sha256] == nil }
            let new = held.filter { copied.contains($0.sha256) }
            var report = BackupReport(
                records: copy.records, databaseBytes: copy.bytes, assets: held.count, assetBytes: Self.bytes(held),
                copiedAssets: new.count, copiedBytes: Self.bytes(new), removedAssets: 0, lost: try copy.lost(lost))
            try finish(copy, copier, in: place, checking: check)
            let gone = copier.remove(plan.unnamed)
            report.removedAssets = gone.count { !copied.contains($0) }
            return report
        }
    }

    /// Lets the copy of the database be what the assets beside it belong to.
    private func finish(
        _ copy: DatabaseCopy, _ copier: AssetCopier, in place: FilePath, checking check: () throws -> Void
    ) throws {
        try copier.syncFolders()
        try observe(.complete)
        try check()
        try Self.move(copy.file, to: FilePath(DataDirectory.database(in: place)))
        try AssetFiles.sync(place)
    }

    private func putInPlace(_ place: FilePath) throws {
        try Self.move(place, to: target)
        let above = target.removingLastComponent()
        try AssetFiles.sync(above.isEmpty ? "." : above)
    }

    /// A disk that a backup fills may be the server's own.
    private func checkSpace(for plan: BackupPlan, in place: FilePath) throws {
        var status = statvfs()
        guard statvfs(place.string, &status) == 0 else {
            throw ServerError.file("look at", place, Errno(rawValue: errno))
        }
        let (free, isHuge) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(by: Int64(status.f_frsize))
        // Some disks far away do not say how large they are.
        guard status.f_blocks > 0, !isHuge else { return }
        guard plan.missingBytes <= free else { throw ServerError.noSpaceForBackup(plan.missingBytes, free, in: place) }
    }

    private static func bytes(_ assets: [NamedAsset]) -> Int64 { assets.reduce(0) { $0 + $1.size } }

    private static func move(_ path: FilePath, to target: FilePath) throws {
        guard rename(path.string, target.string) == 0 else {
            throw ServerError.file("give \(path) the name", target, Errno(rawValue: errno))
        }
    }
}
