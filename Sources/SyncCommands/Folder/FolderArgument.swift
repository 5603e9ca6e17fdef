import ArgumentParser
import StateStorage
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

    /// The synced folder's own path.
    var folder: FilePath {
        get throws { try place.folder }
    }

    /// The folder, and where in it the named path is; `nil` for the folder itself, or where none is named.
    var place: (folder: FilePath, path: String?) {
        get throws {
            var start = try AbsolutePath.of(path ?? ".")
            if StateDirectory.folder(holding: start) == nil, let path {
                // A symlink in the folder leads out of it, but is itself in it.
                start = try AbsolutePath.of(path, followingLast: false)
            }
            guard let folder = StateDirectory.folder(holding: start) else {
                throw CommandFailure.noFolder(above: try AbsolutePath.of(path ?? "."))
            }
            var rest = start
            guard path != nil, start != folder, rest.removePrefix(folder) else { return (folder, nil) }
            return (folder, rest.string)
        }
    }

    var stateDirectory: StateDirectory {
        get throws { try StateDirectory.open(in: folder) }
    }
}

/// The folders of a command: the named ones, each once, or the one that holds the working directory.
struct FolderArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The folders. Where left out: the folder that holds the working directory.", valueName: "folder"),
        completion: .directory)
    var paths: [String] = []

    /// The synced folders' own paths; at least one.
    var folders: [FilePath] {
        get throws {
            var folders: [FilePath] = []
            for path in paths.isEmpty ? ["."] : paths {
                let folder = try folder(path)
                if !folders.contains(folder) { folders.append(folder) }
            }
            return folders
        }
    }

    /// Of several, one that is no synced folder now is left to the daemon to name: the others go on without it.
    private func folder(_ path: String) throws -> FilePath {
        do {
            return try FolderArgument.parse([path]).folder
        } catch {
            guard paths.count > 1 else { throw error }
            return try AbsolutePath.of(path)
        }
    }

    var stateDirectories: [StateDirectory] {
        get throws { try folders.map { try StateDirectory.open(in: $0) } }
    }
}

/// Paths as the daemon knows them: absolute, and with every symlink in them followed.
enum AbsolutePath {
    /// The path that a person wrote, made absolute. What does not exist keeps its name below what does.
    static func of(_ text: String, followingLast: Bool = true) throws -> FilePath {
        var path = FilePath(text)
        if !path.isAbsolute {
            guard let directory = getcwd(nil, 0) else {
                throw CommandFailure.system(Errno(rawValue: errno), "find", "the working directory")
            }
            defer { free(directory) }
            path = FilePath(platformString: directory).pushing(path)
        }
        path.lexicallyNormalize()
        guard !followingLast, let name = path.lastComponent else { return resolved(path) }
        return resolved(path.removingLastComponent()).appending(name)
    }

    private static func resolved(_ path: FilePath) -> FilePath {
        if let real = realpath(path.string, nil) {
            defer { free(real) }
            return FilePath(platformString: real)
        }
        guard let name = path.lastComponent else { return path }
        return resolved(path.removingLastComponent()).appending(name)
    }
}
