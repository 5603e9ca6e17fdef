import FolderSettings
import StateStorage
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// What a folder must be before it is set up.
enum NewFolder {
    /// - Throws: ``CommandFailure`` where it is set up already, or lies in a folder that is.
    static func check(_ folder: FilePath) throws {
        guard let outer = StateDirectory.folder(holding: folder) else {
            if let inner = innerFolder(of: folder) { throw CommandFailure.nested(inner, in: folder, isInner: true) }
            if let data = ServerDataPlace.data(below: folder) { throw CommandFailure.holdsServer(folder, data: data) }
            return
        }
        guard outer == folder else { throw CommandFailure.nested(folder, in: outer) }
        // A state directory without a configuration is what an `init` left that did not get to its end.
        _ = try StateDirectory.open(in: folder)
        guard !isSetUp(folder) else { throw CommandFailure.alreadySetUp(folder) }
    }

    /// Whether it is a synced folder itself.
    static func isSetUp(_ folder: FilePath) -> Bool {
        guard let state = try? StateDirectory.open(in: folder) else { return false }
        return access(state.configurationFile.string, F_OK) == 0
    }

    /// - Returns: Whether it was not there before.
    @discardableResult
    static func make(_ folder: FilePath) throws -> Bool {
        guard mkdir(folder.string, 0o777) != 0 else { return true }
        let error = Errno(rawValue: errno)
        guard error == .fileExists else { throw CommandFailure.system(error, "make", folder) }
        guard let directory = opendir(folder.string) else { throw CommandFailure.notAFolder(folder) }
        closedir(directory)
        return false
    }

    /// A synced folder at any depth below, not looked for through symlinks; `nil` where there is none to be seen.
    private static func innerFolder(of folder: FilePath) -> FilePath? {
        var open = [folder]
        while let directory = open.popLast() {
            if PlainFiles.exists(directory.appending(".zonefolder/config.toml")) { return directory }
            open += PlainFiles.directories(in: directory)
        }
        return nil
    }
}

/// A folder that was looked at and can be set up: it is there, and so is its empty state directory.
///
/// Made before a server is asked, so that nothing is spent there on a folder that cannot be one.
struct PreparedFolder {
    let folder: FilePath
    private let isNew: Bool
    private let hasNewState: Bool

    /// - Throws: ``CommandFailure`` or `StateError` with what stands in the way; nothing is left behind then.
    init(_ folder: FilePath) throws {
        try NewFolder.check(folder)
        self.folder = folder
        isNew = try NewFolder.make(folder)
        hasNewState = !PlainFiles.exists(folder.appending(StateDirectory.name))
        do {
            _ = try StateDirectory.create(in: folder)
        } catch {
            removeTraces()
            throw error
        }
    }

    /// Looks whether a folder could be set up, and leaves no trace of that.
    static func probe(_ folder: FilePath) throws {
        try Self(folder).removeTraces()
    }

    /// Does some work for the folder; where that fails, everything is as it was before.
    func setUp<Answer>(_ work: () async throws -> Answer) async throws -> Answer {
        do {
            return try await work()
        } catch {
            removeTraces()
            throw error
        }
    }

    /// Makes everything as it was before.
    func removeTraces() {
        if hasNewState { PlainFiles.remove(folder.appending(StateDirectory.name)) }
        // Only an empty one goes.
        if isNew { rmdir(folder.string) }
    }
}
