package import SystemPackage

/// Why the hidden state directory, or a part of it, could not be used.
public struct StateError: Error, Sendable, CustomStringConvertible {
    /// What to branch on.
    public enum Code: Hashable, Sendable {
        /// There is no state directory, or no such part of it: run `zonefolder init`.
        case missing
        /// Another process syncs this folder.
        case locked
        /// A newer version of this program wrote the state.
        case newerSchema
        /// The state is damaged.
        case corrupt
        /// A setting is wrong.
        case configuration
        case diskFull
        case permissionDenied
        /// Any other failure of the disk or the file system.
        case io
    }

    public var code: Code
    /// Names the thing, what is wrong with it, and the way out.
    public var message: String
    /// The line of the configuration file, from 1, where one is to blame.
    public var line: Int?

    public var description: String { message }

    package init(_ code: Code, _ message: String, line: Int? = nil) {
        self.code = code
        self.message = message
        self.line = line
    }
}

extension StateError {
    package static func missing(_ path: FilePath) -> Self {
        Self(.missing, "There is no \(path). Run `zonefolder init` in the folder first.")
    }

    /// Of a folder that is set up: nothing but its state is missing.
    static func noDatabase(_ path: FilePath) -> Self {
        Self(
            .missing,
            "There is no \(path), and the folder is set up all the same. `zonefolder start` makes it anew: both sides are looked "
                + "at, and what is equal on both is recognised as equal.")
    }

    package static func removed(from folder: FilePath) -> Self {
        Self(
            .missing,
            "\(folder) is not synced any more: its state directory was removed or replaced. Its files are as they were. Set it "
                + "up again with `zonefolder init \(folder)`, or start what is there now: `zonefolder start \(folder)`."
        )
    }

    package static func nested(_ folder: FilePath, in outer: FilePath) -> Self {
        Self(
            .configuration,
            "\(folder) lies in \(outer), which is synced already; one file cannot belong to two zones. Move it out of there, or "
                + "end one of both: `zonefolder remove`.")
    }

    static func noCredentials(_ path: FilePath) -> Self {
        Self(
            .missing,
            "There is no \(path). Sign in again: `zonefolder login --invitation LINK` with a link of the server's owner, or "
                + "`zonefolder login` with --api-token and --web-auth-token-file.")
    }

    static func locked(by process: Int32?, at path: FilePath) -> Self {
        let who = process.map { "Process \($0)" } ?? "Another process"
        return Self(.locked, "\(who) already syncs this folder (it holds \(path)). Stop it first: `zonefolder stop`.")
    }

    package static func newerSchema(_ migrations: [String], at path: FilePath) -> Self {
        Self(
            .newerSchema,
            "\(path) was written by a newer version of zonefolder (\(migrations.joined(separator: ", "))). "
                + "Install that version again; this one changed nothing.")
    }

    package static func corrupt(_ path: FilePath, _ reason: String) -> Self {
        Self(
            .corrupt,
            "\(path) is damaged (\(reason)). No file of yours is in it: `zonefolder reset --local` makes it anew, and what is "
                + "equal on both sides is recognised as equal.")
    }

    static func tooLarge(_ path: FilePath) -> Self {
        Self(.corrupt, "\(path) is larger than any file of its kind. Move it away and run `zonefolder init` again.")
    }

    package static func configuration(_ key: String, _ reason: String, line: Int? = nil) -> Self {
        let place = line.map { " (line \($0))" } ?? ""
        return Self(.configuration, "config.toml: '\(key)'\(place) \(reason)", line: line)
    }

    static func notATable(_ reason: String, line: Int) -> Self {
        Self(.configuration, "config.toml, line \(line): this is no TOML: \(reason).", line: line)
    }

    static func notADirectory(_ path: FilePath) -> Self {
        Self(.io, "\(path) is not a directory. Move it away, then run `zonefolder init`.")
    }

    static func foreignDirectory(_ path: FilePath) -> Self {
        Self(
            .permissionDenied,
            "\(path) belongs to another user or is open to others, so it cannot hold the control socket. Remove it, or "
                + "set XDG_RUNTIME_DIR to a directory of your own.")
    }

    static func ofAnotherUser(_ folder: FilePath, _ owner: FileOwner) -> Self {
        Self(
            .permissionDenied,
            "\(folder) is the folder of \(owner), as whom alone it can be synced or looked into. Run this as \(owner): "
                + "`sudo -u \(owner.argument) zonefolder …`.")
    }

    package static func olderSchema(_ path: FilePath) -> Self {
        Self(
            .missing,
            "\(path) is of an earlier version of zonefolder, or empty; `zonefolder start` brings it up to date.")
    }

    static func noSocketPlace(_ path: FilePath) -> Self {
        Self(
            .io,
            "No path for the control socket of \(path) is shorter than 108 bytes, the limit of Linux. Set "
                + "XDG_RUNTIME_DIR to a directory with a short path.")
    }

    package static func system(_ error: Errno, _ action: String, _ path: FilePath) -> Self {
        switch error {
        case .noSpace, Errno.diskQuotaExceeded:
            Self(.diskFull, "Could not \(action) \(path): the disk is full. Make room; nothing was lost.")
        case .permissionDenied, .notPermitted, .readOnlyFileSystem:
            Self(.permissionDenied, "Could not \(action) \(path): \(error). Check its owner and its mode.")
        default:
            Self(.io, "Could not \(action) \(path): \(error).")
        }
    }
}
