import SystemPackage
import Testing

@testable import SyncCommands

private let superuserHome = "/root"

@Suite("Folders that hardly anybody means to sync")
struct UnlikelyFolderTests {
    @Test(
        "Homes and the system's directories are told from folders in them",
        arguments: [
            ("/", "the whole system"), ("/home/ada", "your whole home"), ("/data/ada", "your whole home"),
            ("/home", "what holds your whole home"), ("/data", "what holds your whole home"),
            ("/home/bob", "somebody's whole home"), ("/srv/homes/carol", "somebody's whole home"),
            (superuserHome, "a directory of the system"), ("/etc", "a directory of the system"),
            ("/etc/nginx/sites", "a directory of the system"), ("/usr", "a directory of the system"),
            ("/usr/local", "a directory of the system"), ("/var/lib", "a directory of the system"),
            ("/tmp", "a directory of the system"), ("/proc/1/fd", "a directory of the system"),
            ("/home/ada/Notes", nil), ("/data/ada/Notes", nil), ("/home/bob/shared", nil),
            ("\(superuserHome)/notes", nil),
            ("/srv/notes", nil), ("/tmp/try", nil), ("/var/www/site", nil), ("/usr/local/notes", nil),
            ("/mnt/disk/notes", nil), ("/notes", nil), ("/etcetera", nil), ("/home/adage/x", nil),
        ] as [(String, String?)])
    func kinds(path: String, kind: String?) {
        let unlikely = UnlikelyFolder(homes: ["/home/ada", "/data/ada"])
        #expect(unlikely.kind(of: FilePath(path), ownerHome: "/srv/homes/carol") == kind)
    }
}
