import FolderControl
import LocalFolder
import StateRows
import StateStorage
import SystemPackage
import Testing

@testable import SyncCommands

@Suite("What the doctor judges")
struct DoctorTests {
    /// What was judged, as `problem watches`.
    private func words(_ findings: [Finding]) -> [String] { findings.map { "\($0.level) \($0.check)" } }

    @Test(
        "Watches: enough of them, too few, none left, a short line of events",
        arguments: [
            (WatchFacts(directories: 10, maximumWatches: 8192), ["ok watches"]),
            (WatchFacts(directories: 5000, maximumWatches: 8192), ["degraded watches"]),
            (WatchFacts(directories: 9000, maximumWatches: 8192), ["problem watches"]),
            (WatchFacts(directories: 10, unwatched: 2, maximumWatches: 8), ["degraded watches"]),
            (WatchFacts(directories: 10, maximumInstances: 128, canOpenInstance: false), ["problem watches"]),
            (WatchFacts(directories: 10, maximumQueuedEvents: 100), ["degraded watches"]),
            (WatchFacts(directories: nil), ["degraded watches"]),
        ])
    func watches(_ facts: WatchFacts, _ expected: [String]) {
        #expect(words(facts.findings) == expected)
        for finding in facts.findings where facts.directories != nil && finding.level != .ok {
            #expect(finding.remedy?.contains("sudo sysctl fs.inotify.") == true)
        }
    }

    @Test(
        "The disk: what it can do, and what is free",
        arguments: [
            (
                DiskFacts(abilities: .init(kind: "ext4"), space: .init(available: 50, size: 100), reserve: 10),
                ["ok disk", "ok space"]
            ),
            (
                DiskFacts(
                    abilities: .init(kind: "vfat", exchangeFailure: .invalidArgument, tellsCase: false), reserve: 10),
                ["degraded disk", "degraded disk", "degraded space"]
            ),
            (
                DiskFacts(abilities: .init(kind: "nfs"), space: .init(available: 5, size: 100), reserve: 10),
                ["degraded disk", "problem space"]
            ),
            (
                DiskFacts(failure: "no", space: .init(available: 6, size: 100), reserve: 10),
                ["degraded disk", "ok space"]
            ),
        ])
    func disk(_ facts: DiskFacts, _ expected: [String]) {
        #expect(words(facts.findings) == expected)
    }

    @Test(
        "By FUSE there are disks and shares: what is mounted tells which",
        arguments: [
            ("fuseblk", true, false), ("fuseblk", false, false), ("fuse.exfat", false, false),
            ("fuse.sshfs", false, true), ("fuse.rclone", false, true), ("fuse.lklfuse", true, false),
            ("fuse", false, true), ("virtiofs", false, true), ("nfs", false, true),
            ("ext4", false, false), (nil, false, false),
        ] as [(String?, Bool, Bool)])
    func shared(kind: String?, isOnDevice: Bool, isRemote: Bool) {
        #expect(FileSystemAbilities(kind: kind, isOnDevice: isOnDevice).isRemote == isRemote)
        let findings = DiskFacts(abilities: .init(kind: kind, isOnDevice: isOnDevice), reserve: 0).findings
        #expect(findings.contains { $0.message.contains("other machines") } == isRemote)
    }

    @Test("A disk without an exchange of names is no problem, for files are replaced otherwise there")
    func withoutExchange() {
        let abilities = FileSystemAbilities(kind: "fuseblk", isOnDevice: true, exchangeFailure: .invalidArgument)
        let finding = DiskFacts(abilities: abilities, reserve: 0).findings[0]
        #expect(finding.level == .degraded)
        #expect(finding.message.hasPrefix("fuseblk cannot exchange two names in one step ("))
    }

    @Test("What can be done with the two files in a directory is found out, and they are gone")
    func abilities() throws {
        let place = FilePath("/tmp/zf-doctor-\(UInt64.random(in: 0 ... .max))")
        try NewFolder.make(place)
        defer { PlainFiles.remove(place) }
        let abilities = try FileSystemAbilities(tryingIn: place)
        #expect(abilities.exchangeFailure == nil && abilities.tellsCase)
        #expect(try PlainFiles.isEmpty(place))
        #expect(throws: Errno.noSuchFileOrDirectory) { try FileSystemAbilities(tryingIn: place.appending("none")) }
    }

    @Test(
        "Permissions: what is open to others, another's, or not to be written",
        arguments: [
            (PermissionFacts.Item.Part.credentials, UInt32(7), UInt32(0o600), true, nil),
            (.credentials, 7, 0o640, true, "chmod 600 /f"), (.state, 7, 0o755, true, "chmod 700 /f"),
            (.folder, 7, 0o755, true, nil), (.folder, 0, 0o755, true, nil),
            (.folder, 7, 0o555, false, "chmod u+rwx /f"),
            (.database, 7, 0o400, false, "chmod u+rw /f"), (.state, 65_534, 0o700, true, "sudo -u nobody"),
        ] as [(PermissionFacts.Item.Part, UInt32, UInt32, Bool, String?)])
    func permissions(part: PermissionFacts.Item.Part, owner: UInt32, mode: UInt32, isUsable: Bool, remedy: String?) {
        let item = PermissionFacts.Item(part: part, path: "/f", owner: owner, mode: mode, isUsable: isUsable)
        let findings = PermissionFacts(user: 7, items: [item]).findings
        #expect(words(findings) == [remedy == nil ? "ok permissions" : "problem permissions"])
        if let remedy { #expect(findings[0].remedy?.contains(remedy) == true) }
        #expect(!findings[0].anonymous.contains("/f"))
    }

    @Test("Where the disk keeps no permissions, that is said once, and no chmod is asked for")
    func unkeptPermissions() {
        let parts: [PermissionFacts.Item.Part] = [.folder, .state, .credentials, .database, .configuration]
        let items = parts.map { PermissionFacts.Item(part: $0, path: "/f", owner: 7, mode: 0o777, isUsable: true) }
        let findings = PermissionFacts(user: 7, items: items, areKept: false).findings
        #expect(words(findings) == ["degraded permissions"])
        #expect(findings[0].message.contains("this disk keeps no permissions"))
        #expect(findings[0].remedy?.contains("umask=077") == true && findings[0].remedy?.contains("chmod") == false)
        #expect(!findings[0].anonymous.contains("/f"))
        #expect(words(PermissionFacts(user: 7, items: [items[0]], areKept: false).findings) == ["ok permissions"])
    }

    @Test(
        "The server's clock is 0 away where both can be right",
        arguments: [
            (10_000, 10_300, 10_000, 0), (10_000, 10_300, 9_000, 1), (9_500, 10_300, 9_000, 0),
            (10_000, 10_300, 11_000, -700), (1_000_000, 1_000_000, 700_000, 299_001),
        ] as [(Int64, Int64, Int64, Int64)])
    func skew(asked: Int64, answered: Int64, server: Int64, skew: Int64) {
        #expect(ServerFacts.skew(between: asked, answered, server: server) == skew)
    }

    @Test(
        "A server that answers, that fails, whose clock is another, and that is silent",
        arguments: [
            (
                ServerFacts.Outcome.answered(status: 404, afterMilliseconds: 3, skewMilliseconds: 0),
                ["ok server", "ok clock"]
            ),
            (
                .answered(status: 503, afterMilliseconds: 3, skewMilliseconds: nil),
                ["degraded server", "degraded clock"]
            ),
            (.answered(status: 200, afterMilliseconds: 3, skewMilliseconds: -61_000), ["ok server", "problem clock"]),
            (.failed("No route."), ["problem server", "degraded clock"]),
        ])
    func server(outcome: ServerFacts.Outcome, expected: [String]) {
        let findings = ServerFacts(server: "https://sync.example.org", outcome: outcome).findings
        #expect(words(findings) == expected)
        #expect(findings.allSatisfy { !$0.anonymous.contains("example") })
    }

    @Test(
        "The header `Date` is read in its one form",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777_000), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200_000), ("Sunday, 06-Nov-94 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:37", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("", nil),
        ] as [(String, Int64?)])
    func date(header: String, milliseconds: Int64?) {
        #expect(HTTPDate(header: header)?.milliseconds == milliseconds)
    }

    @Test("A daemon of another version, or whose program was replaced, is to be started anew")
    func daemon() {
        #expect(words(DaemonFacts().findings) == ["degraded daemon"])
        #expect(words(DaemonFacts(process: 9, failure: "It is silent.").findings) == ["problem daemon"])
        var report = StatusReport.quiet
        report.daemon = .init(pid: 9, startedMilliseconds: 0)
        #expect(words(DaemonFacts(process: 9, report: report).findings) == ["ok daemon"])
        #expect(words(DaemonFacts(process: 9, report: report, isReplaced: true).findings) == ["degraded daemon"])
        report.daemon?.version = nil
        #expect(words(DaemonFacts(process: 9, report: report).findings) == ["degraded daemon"])
    }

    @Test("Findings and what to do are broken at the terminal's width, below their beginnings")
    func lines() {
        let finding = Finding(
            .clock, .degraded, "This clock goes before the server's.", remedy: "Set this clock right.")
        #expect(
            DoctorReport(findings: [finding]).lines.flatMap { $0.rendered(for: Terminal(width: 50)) } == [
                "degraded  clock          This clock goes before",
                "                         the server's.",
                "                         → Set this clock right.",
            ])
    }

    @Test("The exit status is that of the worst finding")
    func status() {
        let (ok, degraded) = (Finding(.disk, .ok, ""), Finding(.disk, .degraded, ""))
        #expect(DoctorReport(findings: [ok]).status == .done)
        #expect(DoctorReport(findings: [ok, degraded]).status == .unknown)
        #expect(DoctorReport(findings: [degraded, Finding(.disk, .problem, ""), ok]).status == .attention)
    }

    @Test(
        "The distribution is read from os-release",
        arguments: [
            ("NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 13\"\n", "Debian GNU/Linux 13"), ("NAME=x\n", nil),
        ] as [(String, String?)])
    func distribution(text: String, name: String?) {
        #expect(MachineText.distribution(in: text) == name)
    }
}
