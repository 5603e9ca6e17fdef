import ArgumentParser
import FolderControl
import FolderSettings
import SyncService
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// Where a server's data is.
struct ServerDataPlace: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp(
            "The server's data (default: zonefolder/server in $XDG_DATA_HOME, else in ~/.local/share).",
            valueName: "dir"),
        completion: .directory)
    var given: String?

    /// The named directory, or the standard one; absolute, its links followed.
    /// - Throws: ``CommandFailure`` where it is there and this user may not use it.
    var directory: FilePath {
        get throws {
            let directory = try AbsolutePath.of(given ?? Self.standard.string)
            if PlainFiles.isFile(directory) { throw CommandFailure.dataIsFile(directory) }
            try Self.check(directory, for: R_OK | W_OK | X_OK)
            return directory
        }
    }

    /// The directory that a command only reads, and that may take no writing: another one where one is named, or this one.
    /// - Throws: ``CommandFailure`` where it is there and this user may not look into it.
    func readableDirectory(or other: String?) throws -> FilePath {
        let directory = try AbsolutePath.of(other ?? given ?? Self.standard.string)
        if let (hidden, owner) = HiddenPath.above(directory.appending("server.sqlite")) {
            throw CommandFailure.hidden(directory, behind: hidden, owner)
        }
        if PlainFiles.isDirectory(directory) { try Self.check(directory, for: R_OK | X_OK) }
        return directory
    }

    private static func check(_ directory: FilePath, for permissions: Int32) throws {
        guard access(directory.string, permissions) == 0 || errno != EACCES else {
            throw CommandFailure.foreignData(directory, FileOwner(of: directory.string))
        }
    }

    /// The same, for a server that is to run: what it stores must not be synced to itself, over and over.
    /// - Throws: ``CommandFailure`` where it lies in a synced folder.
    var ownDirectory: FilePath {
        get throws {
            let directory = try directory
            if let folder = StateDirectory.folder(holding: directory) {
                throw CommandFailure.syncedData(directory, folder: folder)
            }
            return directory
        }
    }

    /// Where a folder holds the data of this user's own server, at its standard place.
    static func data(below folder: FilePath) -> FilePath? {
        guard let data = try? AbsolutePath.of(standard.string), data.starts(with: folder) else { return nil }
        return PlainFiles.exists(data.appending("server.sqlite")) ? data : nil
    }

    /// The data directory of whoever names none.
    private static var standard: FilePath {
        let environment = ProgramEnvironment.current
        return standard(dataHome: environment.dataHome, home: environment.home)
    }

    /// - Parameters:
    ///   - dataHome: XDG_DATA_HOME, which counts only where it is absolute.
    ///   - home: The user's.
    static func standard(dataHome: String?, home: String) -> FilePath {
        let base = dataHome.map { FilePath($0) }.flatMap { $0.isAbsolute ? $0 : nil }
        return (base ?? FilePath(home).appending(".local/share")).pushing("zonefolder/server")
    }

    /// What a further command about this data has to say of it: nothing where it is at its standard place.
    /// - Returns: ` --data DIR`, or an empty text.
    static func argument(for directory: FilePath) -> String {
        guard (try? AbsolutePath.of(standard.string)) != directory else { return "" }
        return " --data \(ShellWord.quoted(directory.string))"
    }
}

extension CommandFailure {
    fileprivate static func dataIsFile(_ path: FilePath) -> Self {
        Self(
            status: .usage, message: "\(path) is a file. Name a directory with --data; it is made where it is missing.")
    }

    static func syncedData(_ directory: FilePath, folder: FilePath) -> Self {
        Self(
            status: .usage,
            message:
                "\(directory) lies in the synced folder \(folder): what a server stores there would be synced, and stored "
                + "again, without end. Name another directory with --data.")
    }

    static func holdsServer(_ folder: FilePath, data: FilePath) -> Self {
        Self(
            status: .usage,
            message:
                "\(folder) holds the data of a server of your own, in \(data): what the server stores would be synced, and "
                + "stored again, without end. Choose a folder beside it.")
    }

    fileprivate static func foreignData(_ directory: FilePath, _ owner: FileOwner?) -> Self {
        let user = owner.map { " It is the directory of \($0): run this as that user." } ?? ""
        return Self(
            status: .error,
            message:
                "The server's data in \(directory) cannot be used: Permission denied.\(user) Or name another directory with "
                + "--data.")
    }
}
