import SyncEngine
import SystemPackage

/// The unit of a folder in the service manager of the user who runs this program: `zonefolder@.service`, which the
/// package brings, with the folder's path as its instance.
struct FolderUnit {
    let folder: FilePath
    var name: String { "zonefolder@\(Self.escaped(folder)).service" }

    /// Starts the folder's daemon, now and at each login of the user.
    func enable() async throws {
        try await systemctl("enable", "--now", name)
    }

    /// Undoes ``enable()``: stops the daemon, and starts it at no login.
    func disable() async throws {
        try await systemctl("disable", "--now", name)
    }

    private func systemctl(_ words: String...) async throws {
        let process: ChildProcess
        do {
            process = try ChildProcess(
                program: "systemctl", arguments: ["--user"] + words, output: .pipe, errors: .withOutput)
        } catch {
            throw CommandFailure.noServiceManager(folder, saying: "systemctl is not there")
        }
        let text = try await process.wholeOutput()
        guard await process.ended(within: .seconds(120)) == .exited(0) else {
            throw CommandFailure.noServiceManager(
                folder, saying: text.split(separator: "\n").last.map(String.init) ?? "systemctl says nothing")
        }
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
    static func noServiceManager(_ folder: FilePath, saying text: String) -> Self {
        Self(
            status: .error,
            message:
                "systemd cannot see to \(folder): \(text). Without systemd, or where its unit zonefolder@.service is not "
                + "installed: zonefolder start \(ShellWord.quoted(folder.string))")
    }
}
