import ArgumentParser
import FolderControl
import FolderSettings
import StateStorage
import SyncModel
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// The folder of a command: the named one, or the one that holds the working directory.
struct FolderArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The folder, or a path in it. Where left out: the folder that holds the working directory.",
            valueName: "folder"),
        completion: .directory)
    var path: String?

    /// The folder of a path that another argument names, also one that begins with a dash.
    static func of(_ path: String?) throws -> FolderArgument { try parse(path.map { ["--", $0] } ?? []) }

    /// The synced folder's own path.
    var folder: FilePath {
        get throws { try place.folder }
    }

    /// Whether a path was named, or the working directory lies in a synced folder, or where nobody can look.
    var isNamedOrHeld: Bool {
        get throws {
            guard path == nil else { return true }
            let start = try AbsolutePath.lexical(".")
            return Self.place(of: start) != nil || HiddenPath.above(start) != nil
        }
    }

    /// The folder, and where in it the named path is; `nil` for the folder itself, or where none is named.
    ///
    /// A path is meant as it is written where it is there, else as it would be shown (`FolderPath.description`).
    var place: (folder: FilePath, path: FolderPath?) {
        get throws {
            let start = try AbsolutePath.lexical(path ?? ".")
            guard let (folder, rest) = Self.place(of: start) else {
                if let (hidden, owner) = HiddenPath.above(start) {
                    throw CommandFailure.hidden(start, behind: hidden, owner)
                }
                if let folder = KnownFolders.withoutState(holding: start) { throw CommandFailure.noState(in: folder) }
                throw CommandFailure.noFolder(above: try AbsolutePath.of(path ?? "."))
            }
            guard path != nil, !rest.isEmpty else { return (folder, nil) }
            guard let named = FolderPath(rest) else { throw CommandFailure.noPath(rest.string) }
            let isShown = FolderPath.hasEscapes(named.bytes) && !PlainFiles.isThere(folder.pushing(named))
            return (folder, isShown ? FolderPath(shown: rest.string) ?? named : named)
        }
    }

    /// The folder that was named itself, with a state directory of its own, although it lies in another one; `nil` where none
    /// was. It cannot be synced there, but it can be stopped, or forgotten.
    var nestedFolder: FilePath? {
        get throws {
            guard let path else { return nil }
            let target = AbsolutePath.resolved(try AbsolutePath.lexical(path))
            guard StateDirectory.folder(holding: target) == target else { return nil }
            return StateDirectory.folder(syncing: target) == target ? nil : target
        }
    }

    /// The synced folder that a path leads into, and the rest of the path. Links on the way to a folder are followed; one in
    /// it is a thing of its own, wherever it leads, unless it is the name of another folder. Of folders in one another the
    /// outermost one answers: it syncs what is in the others.
    private static func place(of path: FilePath) -> (folder: FilePath, rest: FilePath)? {
        let target = AbsolutePath.resolved(path)
        if StateDirectory.folder(syncing: target) == target { return (target, FilePath()) }
        var reached = FilePath("/")
        var folder: FilePath?
        var isBelowLink = false
        for component in path.components {
            let next = reached.appending(component)
            isBelowLink = isBelowLink || folder != nil && PlainFiles.isLink(next)
            reached = folder == nil ? AbsolutePath.resolved(next) : next
            if !isBelowLink { folder = StateDirectory.folder(syncing: reached) }
        }
        guard let folder, reached.removePrefix(folder) else { return nil }
        return (folder, reached)
    }

    /// The state directory, to look at; says whose it is where that is somebody else.
    var stateDirectory: StateDirectory {
        get throws { try Self.stateDirectory(of: folder) }
    }

    /// As ``stateDirectory``, of a folder that was found before.
    static func stateDirectory(of folder: FilePath) throws -> StateDirectory {
        let directory = try StateDirectory.open(in: folder)
        if let owner = try directory.otherOwner { StandardError.print("\(folder) is the folder of \(owner).") }
        return directory
    }
}

extension CommandFailure {
    static func noState(in folder: FilePath) -> Self {
        let word = ShellWord.quoted(folder.string)
        return Self(
            status: .configuration,
            message:
                "\(folder) was synced, and its state directory \(StateDirectory.name) is gone. Its files are untouched: "
                + "`zonefolder init \(word)` sets it up again, and what is equal on both sides is recognised as equal; "
                + "`zonefolder remove \(word)` forgets it.")
    }
}

/// A directory into which this user cannot look, so that nobody can say what a path below it is.
enum HiddenPath {
    /// The first such directory on the way to a path, or the path itself, and whose it is; `nil` where there is none.
    static func above(_ path: FilePath) -> (FilePath, FileOwner)? {
        if access(path.string, F_OK) == 0 {
            guard access(path.string, X_OK) != 0, PlainFiles.isDirectory(path) else { return nil }
            return FileOwner(of: path.string).map { (path, $0) }
        }
        guard errno == EACCES else { return nil }
        var directory = FilePath(root: path.root)
        for component in path.components {
            if access(directory.string, X_OK) != 0, let owner = FileOwner(of: directory.string) {
                return (directory, owner)
            }
            directory.append(component)
        }
        return nil
    }
}

/// The folders of a command: the named ones, each once, or the one that holds the working directory.
struct FolderArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The folders. Where left out: the folder that holds the working directory.", valueName: "folder"),
        completion: .directory)
    var paths: [String] = []

    /// The synced folders' own paths; at least one. One that is named itself is meant also where it lies in another one.
    var folders: [FilePath] {
        get throws {
            var folders: [FilePath] = []
            guard !paths.isEmpty else { return [try FolderArgument.of(nil).folder] }
            for path in paths {
                let folder = try FolderArgument.of(path).nestedFolder ?? self.folder(path)
                if !folders.contains(folder) { folders.append(folder) }
            }
            return folders
        }
    }

    /// The same where none of the named paths is one in a folder.
    var wholeFolders: [FilePath] {
        get throws {
            for path in paths {
                guard let place = try? FolderArgument.of(path).place, place.path != nil else { continue }
                throw ValidationError("Of several paths each has to be a folder: \(path) is in \(place.folder).")
            }
            return try folders
        }
    }

    /// Of several, one that is no synced folder now is left to the daemon to name: the others go on without it.
    private func folder(_ path: String) throws -> FilePath {
        do {
            return try FolderArgument.of(path).folder
        } catch {
            guard paths.count > 1 else { throw error }
            return try AbsolutePath.of(path)
        }
    }

    var stateDirectories: [StateDirectory] {
        get throws { try folders.map { try StateDirectory.open(in: $0) } }
    }

    /// Does the same for one folder after the other. Those after one that it fails for have their turn all the same.
    /// - Throws: What it failed with last; what it failed with before was said.
    func each(_ body: (StateDirectory) async throws -> Void) async throws {
        var failure: (any Error)?
        for folder in try folders {
            do {
                try await body(FolderArgument.stateDirectory(of: folder))
            } catch {
                if let failure { ZonefolderCommand.say(failure) }
                failure = error
            }
        }
        if let failure { throw failure }
    }
}

/// Paths as the daemon knows them: absolute, and with every symlink in them followed.
enum AbsolutePath {
    /// The path that a person wrote, made absolute. What does not exist keeps its name below what does.
    static func of(_ text: String) throws -> FilePath {
        resolved(try lexical(text))
    }

    /// The same with no symlink followed.
    static func lexical(_ text: String) throws -> FilePath {
        var path = try unresolved(text)
        path.lexicallyNormalize()
        return path
    }

    /// The path made absolute, its links left: where they lead may change.
    static func unresolved(_ text: String) throws -> FilePath {
        let path = GivenPath.bytes(of: text)
        guard !path.isAbsolute else { return path }
        guard let directory = getcwd(nil, 0) else {
            throw CommandFailure.system(Errno(rawValue: errno), "find", "the working directory")
        }
        defer { free(directory) }
        return FilePath(platformString: directory).pushing(path)
    }

    static func resolved(_ path: FilePath) -> FilePath {
        if let real = path.withPlatformString({ realpath($0, nil) }) {
            defer { free(real) }
            return FilePath(platformString: real)
        }
        guard let name = path.lastComponent else { return path }
        return resolved(path.removingLastComponent()).appending(name)
    }
}
