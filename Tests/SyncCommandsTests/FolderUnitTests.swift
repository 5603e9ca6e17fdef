import SystemPackage
import Testing

@testable import SyncCommands

@Suite("The unit of a folder")
struct FolderUnitTests {
    @Test(
        "Its name has the path as `systemd-escape --path` writes it",
        arguments: [
            ("/srv/site", "srv-site"), ("/home/ann/My Notes", "home-ann-My\\x20Notes"),
            ("/home/ann/a-b/", "home-ann-a\\x2db"), ("/.hidden/.x", "\\x2ehidden-.x"), ("/é", "\\xc3\\xa9"),
            ("/a:b_c.d", "a:b_c.d"), ("/a\\b@c", "a\\x5cb\\x40c"), ("/", "-"),
        ])
    func name(path: String, escaped: String) {
        #expect(FolderUnit(folder: FilePath(path)).name == "zonefolder@\(escaped).service")
    }

    @Test(
        "Without systemd the way out is the command that needs none",
        arguments: [("enable", "zonefolder start '/a b'"), ("disable", "zonefolder stop '/a b'")])
    func withoutManager(verb: String, command: String) {
        let failure = CommandFailure.noServiceManager("/a b", to: verb, saying: "systemctl is not there")
        #expect(failure.message.hasPrefix("systemd cannot see to /a b: systemctl is not there."))
        #expect(failure.message.hasSuffix(": \(command)"))
    }
}
