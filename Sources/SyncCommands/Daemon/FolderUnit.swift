import FolderControl
import SyncService
import SystemPackage

/// The unit of a folder in a service manager: `zonefolder@.service`, which the package brings, with the folder's path as its
/// instance.
struct FolderUnit: Hashable, Sendable {
    enum Manager: Hashable, CaseIterable, Sendable {
        /// That of the user who runs this program.
        case user
        case system
    }

    let folder: FilePath
    var manager = Manager.user
    var name: String { "zonefolder@\(Self.escaped(folder)).service" }

    /// The unit whose main process syncs a folder; `nil` where systemd runs none, or there is no systemd.
    static func running(_ process: Int32, for folder: FilePath) async -> Self? {
        for manager in Manager.allCases {
            let unit = Self(folder: folder, manager: manager)
            if await unit.mainProcess == process { return unit }
        }
        return nil
    }

    /// What systemctl(1) calls MainPID: 0 while none runs.
    private var mainProcess: Int32? {
        get async {
            let words = ["show", "--property=MainPID", "--value", name]
            guard let (ending, text) = try? await Self.systemctl(words, of: manager, within: .seconds(10)),
                ending == .exited(0)
            else { return nil }
            return text.split(whereSeparator: \.isWhitespace).first.flatMap { Int32($0) }
        }
    }

    /// Starts the folder's daemon, now and at each login of the user.
    func enable() async throws {
        try await systemctl("enable", "--now", name)
    }

    /// Undoes ``enable()``: stops the daemon, and starts it at no login.
    func disable() async throws {
        try await systemctl("disable", "--now", name)
    }

    /// Ends the daemon until it is started again.
    func stop() async throws { try await systemctl("stop", name) }

    /// Starts the daemon again.
    func start() async throws { try await systemctl("start", name) }

    private func systemctl(_ words: String...) async throws {
        let ending: ChildProcess.Ending?
        let text: String
        do {
            (ending, text) = try await Self.systemctl(words, of: manager, within: .seconds(120))
        } catch {
            throw CommandFailure.noServiceManager(folder, to: words[0], saying: "systemctl is not there")
        }
        guard ending == .exited(0) else {
            let line = text.split(separator: "\n").last.map(String.init) ?? "systemctl says nothing"
            let isRunning = ["stop", "start"].contains(words[0])
            throw isRunning
                ? CommandFailure.unitRefuses(self, to: words[0], saying: line)
                : CommandFailure.noServiceManager(folder, to: words[0], saying: line)
        }
    }

    /// How `systemctl` ends, and all that it says.
    private static func systemctl(
        _ words: [String], of manager: Manager, within limit: Duration
    ) async throws -> (ChildProcess.Ending?, String) {
        // No question that nobody sees.
        let options = manager == .user ? ["--user"] : ["--no-ask-password"]
        let process = try ChildProcess(
            program: "systemctl", arguments: options + words, output: .pipe, errors: .withOutput)
        let text = try await process.wholeOutput()
        return (await process.ended(within: limit), text)
    }

    /// A command about it, for a person to give.
    func command(_ word: String) -> String {
        "systemctl \(manager == .user ? "--user " : "")\(word) \(ShellWord.quoted(name))"
    }

    /// A path as a part of a unit's name: what `systemd-escape --path` makes of it (systemd.unit(5)).
    static func escaped(_ path: FilePath) -> String {
        let names = path.string.utf8.split(separator: UInt8(ascii: "/"))
        guard !names.isEmpty else { return "-" }
        var text = ""
        for byte in names.joined(separator: [UInt8(ascii: "/")]) {
            switch byte {
            case UInt8(ascii: "/"): text += "-"
            case UInt8(ascii: ".") where !text.isEmpty: text += "."
            case UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16)
                text += "\\x" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return text
    }
}

extension CommandFailure {
    static func unitRefuses(_ unit: FolderUnit, to verb: String, saying text: String) -> Self {
        Self(
            status: .error,
            message: "systemd runs the daemon of \(unit.folder), and does not \(verb) it: \(text). See to that first: "
                + "\(unit.command("status"))")
    }

    static func unitTimedOut(_ unit: FolderUnit, seconds: Int) -> Self {
        Self(
            status: .unknown,
            message:
                "systemd started the daemon of \(unit.folder), which did not answer within \(seconds) s. What it says: "
                + "\(unit.command("status"))")
    }

    static func noServiceManager(_ folder: FilePath, to verb: String, saying text: String) -> Self {
        Self(
            status: .error,
            message:
                "systemd cannot see to \(folder): \(text). Without systemd, or where its unit zonefolder@.service is not "
                + "installed: zonefolder \(verb == "enable" ? "start" : "stop") \(ShellWord.quoted(folder.string))")
    }
}
