import FolderControl
import FolderSettings
import StateStorage
import SyncService
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// Why a command could not do its work, where no library below it says so.
struct CommandFailure: Error, Hashable, Sendable, CustomStringConvertible {
    var status: ExitStatus
    /// Names the thing, what is wrong with it, and the way out.
    var message: String

    var description: String { message }
}

extension CommandFailure {
    static func noFolder(above path: FilePath) -> Self {
        Self(
            status: .configuration,
            message:
                "\(path) is in no synced folder. Go into one, name one, or make one: `zonefolder init`. Where there was "
                + "one, its disk may be unmounted: mount it again, a daemon that runs goes on by itself then.")
    }

    static func hidden(_ path: FilePath, behind directory: FilePath, _ owner: FileOwner) -> Self {
        guard owner.number != geteuid() else {
            return Self(
                status: .error,
                message:
                    "What \(path) is cannot be seen: \(directory) is yours, and its permissions let nobody look into it. Give "
                    + "them back: `chmod u+rwx \(ShellWord.quoted(directory.string))`.")
        }
        return Self(
            status: .error,
            message:
                "What \(path) is cannot be seen: \(directory) belongs to \(owner), who lets nobody else look into it. Run "
                + "this as \(owner): `sudo -u \(owner.argument) zonefolder …`.")
    }

    static func nested(_ folder: FilePath, in outer: FilePath, isInner: Bool = false) -> Self {
        let (synced, choice) =
            isInner
            ? ("\(folder) is synced already and lies in \(outer)", "Choose a folder beside it")
            : ("\(folder) lies in \(outer), which is synced already", "Choose a folder outside of it")
        return Self(
            status: .configuration,
            message: "\(synced); one file cannot belong to two zones. \(choice), or end the other one: "
                + "`zonefolder remove \(ShellWord.quoted((isInner ? folder : outer).string))`.")
    }

    static func alreadySetUp(_ folder: FilePath) -> Self {
        Self(
            status: .configuration,
            message:
                "\(folder) is set up already. See `zonefolder status \(ShellWord.quoted(folder.string))`; to sign in again, "
                + "use `zonefolder login`, with --invitation where it is by a link; to set it up anew, say `zonefolder remove \(ShellWord.quoted(folder.string))` first, "
                + "which tells what would be lost."
        )
    }

    static func notEmpty(_ path: FilePath) -> Self {
        Self(status: .error, message: "\(path) is not empty. Name a new directory.")
    }

    static func notAFolder(_ path: FilePath) -> Self {
        Self(status: .error, message: "\(path) is not a folder.")
    }

    static func system(_ error: Errno, _ action: String, _ path: FilePath) -> Self {
        let way =
            switch error {
            case .noSuchFileOrDirectory where action == "make": " Make the folder above it first."
            case .noSuchFileOrDirectory: " See to the spelling."
            case .permissionDenied, .notPermitted: " See to its permissions."
            default: ""
            }
        return Self(status: .error, message: "Could not \(action) \(path): \(error).\(way)")
    }

    static func noSecret(in source: String) -> Self {
        Self(status: .usage, message: "\(source) holds no token: one line with the token is expected.")
    }

    static func noSignInPage(_ server: String) -> Self {
        Self(
            status: .configuration,
            message: "\(server) names no sign-in page. Get a web auth token there, and give it with "
                + "--web-auth-token-file FILE.")
    }

    static func otherAccount(_ user: String, own: String) -> Self {
        Self(status: .configuration, message: AccountChangeError.otherAccount(user, own).message)
    }

    static func tooFewDescriptors(limit: UInt64, need: UInt64) -> Self {
        Self(
            status: .error,
            message: "This process may have \(limit) files open, and needs \(need). Raise the limit: `ulimit -n`, or "
                + "LimitNOFILE= of a systemd unit.")
    }

    static func cannotListen(_ port: UInt16, _ error: Errno) -> Self {
        let way =
            error == .addressInUse
            ? "Another program listens there; end it, or sign in with --web-auth-token-file."
            : "Choose another one with --port; the API token's callback must name it, too."
        return Self(status: .error, message: "Cannot listen on 127.0.0.1, port \(port): \(error). \(way)")
    }

    static let signInTimedOut = Self(
        status: .error, message: "Nobody signed in within 15 minutes, and the page is too old now. Run it again.")

    static func nobody(_ name: String, in container: String) -> Self {
        Self(
            status: .error,
            message:
                "\(container) has no user '\(name)'. Add one: `zonefolder serve user add \(ShellWord.quoted(name))`.")
    }

    static func emptyPassword(_ source: String) -> Self {
        Self(status: .usage, message: "\(source) holds no password: one line with the password is expected.")
    }

    static let noTerminal = Self(
        status: .usage,
        message: "A password is asked for on a terminal, and there is none. Give it with --password-file FILE, or with "
            + "--password-file - on standard input.")

    static let passwordsDiffer = Self(status: .usage, message: "The two passwords differ. Nothing was changed.")

    static let noAPIToken = Self(
        status: .usage,
        message: "An API token is needed: --api-token, or the environment variable ZONEFOLDER_API_TOKEN. The CloudKit "
            + "console makes one, or `zonefolder serve user add`.")

    static func notSignedIn(_ url: String?) -> Self {
        let way = url.map { "Sign in through the browser with --sign-in, or at \($0), and then give" } ?? "Give"
        return Self(
            status: .configuration,
            message: "Nobody is signed in. \(way) the web auth token with --web-auth-token-file FILE, or with "
                + "--web-auth-token-file - on standard input.")
    }

    static func serverSays(_ message: String, server: String) -> Self {
        Self(
            status: .configuration,
            message: "\(server) was asked who is signed in, and refused: \(Sentence.ended(message)) Check --server, "
                + "--container, --environment and the tokens.")
    }

    static func serverUnreachable(_ message: String, server: String) -> Self {
        Self(
            status: .error,
            message: "\(server) did not answer: \(Sentence.ended(once(message))) Check --server and the network.")
    }

    static func untrusted(_ message: String) -> Self {
        Self(status: .error, message: once(message))
    }

    /// What asks once does not try again by itself.
    static func once(_ message: String) -> String {
        message.replacing(" It is tried again by itself.", with: "")
    }

    /// - Parameter place: What is without TLS, such as a server's URL.
    static func plainHTTP(_ place: String, way: String) -> Self {
        Self(
            status: .usage,
            message:
                "\(place) has no TLS: whoever sees the traffic could read the tokens and files in it. \(way) Where "
                + "the network is your own, allow it with --plain-http.")
    }

    static func didNotStart(_ folder: FilePath, log: String, at path: FilePath, status: ExitStatus) -> Self {
        Self(
            status: status,
            message: "The daemon for \(folder) ended at once. Its log, \(path), says:\n\n\(log)")
    }

    static func startTimedOut(_ folder: FilePath, seconds: Int, at path: FilePath) -> Self {
        Self(
            status: .unknown,
            message:
                "The daemon for \(folder) runs but did not answer within \(seconds) s. Look again with `zonefolder "
                + "status \(ShellWord.quoted(folder.string))`; its log is \(path).")
    }

    static func child(_ name: String, _ reason: String) -> Self {
        Self(status: .error, message: "`zonefolder \(name)` \(reason)")
    }

    static func tookTooLong(_ what: String, seconds: Int) -> Self {
        Self(status: .error, message: "\(what) did not happen within \(seconds) s.")
    }

    static func paused(_ folder: FilePath, until end: String) -> Self {
        Self(
            status: .pending,
            message: "\(folder) is paused \(end). Nothing was sent or fetched. Go on first: "
                + "`\(PauseText.remedy(of: folder.string))`.")
    }

    static func batchUnknown(_ batch: String) -> Self {
        Self(
            status: .error,
            message: "No batch '\(batch)' waits for approval. `zonefolder status` names the one that does.")
    }

    static let defaultZoneIsNotShared = Self(
        status: .usage,
        message: "The default zone cannot be shared. Name another one with --zone, or a folder with --folder.")

    static let othersZone = Self(
        status: .usage,
        message:
            "Somebody else shares this folder's zone; only its owner can share it with more people. To take part in it no "
            + "longer: zonefolder share --leave")

    static let ownZone = Self(
        status: .usage,
        message: "This folder's zone is your own. To share it no longer: zonefolder share --stop")

    static func notShared(_ what: String) -> Self {
        Self(status: .error, message: "\(what) is not shared.")
    }

    static let rulesAreNotShared = Self(
        status: .usage,
        message:
            "The ignore rules are not shared alone: they steer the whole folder. Share the zone, without naming a record, or "
            + "give the others a copy of the file under another name.")

    static func noRecord(_ name: String) -> Self {
        Self(status: .error, message: "There is no record '\(name)' in the zone.")
    }

    static func noParticipant(_ name: String) -> Self {
        Self(
            status: .error,
            message: "'\(name)' takes no part in the share. `zonefolder share` lists who does. Nothing was changed.")
    }
}
