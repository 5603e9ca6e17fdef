import FolderSettings
import StateStorage
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// The folders of this person: what `status` shows outside of any.
///
/// A file `zonefolder/folders` in `$XDG_STATE_HOME`, or in `~/.local/state`, with an absolute path on each line, a
/// backslash or a newline in it written `\\` or `\n`. `init` and `run` add to it. It is for looking only: nothing is synced
/// or forgotten for what is in it, and a line can be taken out with any editor.
struct KnownFolders: Sendable {
    /// The list.
    let file: FilePath

    /// The list of this person; `nil` where the environment names no place for it.
    static var current: KnownFolders? {
        let environment = ProgramEnvironment.current
        let state = environment.stateHome ?? environment.home + "/.local/state"
        guard FilePath(state).isAbsolute else { return nil }
        return KnownFolders(file: FilePath(state).appending("zonefolder").appending("folders"))
    }

    /// The folders, in the order in which they were added; also those that are gone.
    /// - Throws: ``CommandFailure`` where the list cannot be read.
    func list() throws -> [FilePath] {
        do {
            return Self.paths(in: String(decoding: try PlainFiles.read(file), as: UTF8.self))
        } catch Errno.noSuchFileOrDirectory {
            return []
        } catch let error as Errno {
            throw CommandFailure.system(error, "read", file)
        }
    }

    /// Adds folders that are this user's own and are not listed yet. One that lies in another, such as a copy of that with its
    /// state, cannot be synced, and is not added.
    /// - Throws: ``CommandFailure`` where the list cannot be written.
    func add(_ folders: [FilePath]) throws {
        let own = folders.filter { folder in
            do {
                let directory = try StateDirectory.open(in: folder)
                return try directory.otherOwner == nil && directory.outerFolder == nil
            } catch {
                return false
            }
        }
        let known = try list()
        guard own.contains(where: { !known.contains($0) }) else { return }
        try PlainFiles.makeDirectory(file.removingLastComponent(), mode: 0o700)
        try locked {
            let listed = try list()
            let all = listed + own.filter { !listed.contains($0) }
            try PlainFiles.replace(file, with: Array(Self.text(of: all).utf8))
        }
    }

    /// As ``add(_:)``; what goes wrong is said, and stops nobody.
    static func note(_ folders: [FilePath]) {
        do {
            try current?.add(folders)
        } catch {
            StandardError.print("`zonefolder status` will not list \(folders.count == 1 ? "it" : "them"): \(error)")
        }
    }

    /// Takes a folder out that is no longer synced; what goes wrong is said, and stops nobody.
    static func forget(_ folder: FilePath) {
        do {
            guard let list = current, try list.list().contains(folder) else { return }
            try list.locked {
                let others = try list.list().filter { $0 != folder }
                try PlainFiles.replace(list.file, with: Array(text(of: others).utf8))
            }
        } catch {
            StandardError.print("`zonefolder status` will still list it: \(error)")
        }
    }

    /// The listed folder that a person named by its path, where nothing of it is there any more; `nil` where there is, or where
    /// nobody can look.
    static func gone(_ path: String) throws -> FilePath? {
        guard let list = try current?.list() else { return nil }
        let lexical = try AbsolutePath.lexical(path)
        return [lexical, AbsolutePath.resolved(lexical)].first { folder in
            list.contains(folder) && HiddenPath.above(folder) == nil
                && !PlainFiles.exists(folder.appending(StateDirectory.name))
        }
    }

    /// The listed folder that holds a path and lost its state directory, while its files are there; `nil` where there is none.
    static func withoutState(holding path: FilePath) -> FilePath? {
        // Without the list nobody knows that there was a folder.
        guard let folders = try? current?.list() else { return nil }
        let resolved = AbsolutePath.resolved(path)
        return folders.first { folder in
            (path.starts(with: folder) || resolved.starts(with: folder)) && hasLostState(folder)
        }
    }

    /// Whether a folder has files but no state directory. An empty one may be where a disk is mounted as a rule.
    static func hasLostState(_ folder: FilePath) -> Bool {
        guard PlainFiles.isDirectory(folder), !PlainFiles.isThere(folder.appending(StateDirectory.name)) else {
            return false
        }
        do {
            return try !PlainFiles.isEmpty(folder)
        } catch {
            return false
        }
    }

    static func text(of folders: [FilePath]) -> String {
        folders.map { $0.string.replacing("\\", with: "\\\\").replacing("\n", with: "\\n") + "\n" }.joined()
    }

    static func paths(in text: String) -> [FilePath] {
        var found: [FilePath] = []
        for line in text.split(separator: "\n") {
            var path = ""
            var isEscaped = false
            for character in line {
                if isEscaped {
                    path.append(character == "n" ? "\n" : character)
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else {
                    path.append(character)
                }
            }
            if FilePath(path).isAbsolute, !found.contains(FilePath(path)) { found.append(FilePath(path)) }
        }
        return found
    }

    /// One process at a time adds to the list.
    private func locked(_ body: () throws -> Void) throws {
        let place = file.removingLastComponent()
        let descriptor = open(place.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure.system(Errno(rawValue: errno), "open", place) }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX) == 0 else {
            throw CommandFailure.system(Errno(rawValue: errno), "lock", place)
        }
        try body()
    }
}
