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
            guard access(directory.string, R_OK | W_OK | X_OK) == 0 || errno != EACCES else {
                throw CommandFailure.foreignData(directory, FileOwner(of: directory.string))
            }
            return directory
        }
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
    fileprivate static func foreignData(_ directory: FilePath, _ owner: FileOwner?) -> Self {
        let user = owner.map { " It is the directory of \($0): run this as that user." } ?? ""
        return Self(
            status: .error,
            message:
                "The server's data in \(directory) cannot be used: Permission denied.\(user) Or name another directory with "
                + "--data.")
    }
}
