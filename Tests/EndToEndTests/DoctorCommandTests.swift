import Foundation
import Testing

@Suite("Doctor", .timeLimit(.minutes(30)))
struct DoctorCommandTests {
    struct Report: Decodable {
        struct Finding: Decodable {
            var check: String
            var level: String
            var message: String
            var remedy: String?
        }

        var findings: [Finding]

        func levels(_ check: String) -> [String] { findings.filter { $0.check == check }.map(\.level) }
    }

    private func examine(_ folder: RealFolder) async throws -> (status: Int32, report: Report) {
        let outcome = try await RealProgram.run("doctor", folder.path, "--json")
        return (outcome.status, try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8)))
    }

    @Test("The doctor finds a healthy folder well, names what is wrong with the way out, and its report has no names")
    func examined() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        try folder.write("text", to: "secret-plan.txt")
        let daemon = try folder.run()
        try await folder.untilDaemonAnswers(daemon)
        #expect(try await folder.settledVerdict() == "in-sync")
        let healthy = try await examine(folder)
        for check in [
            "configuration", "account", "server", "clock", "daemon", "permissions", "state", "schema", "files",
        ] {
            #expect(healthy.report.levels(check) == ["ok"], "\(healthy.report)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.zonefolder/staging").isEmpty)

        let report = try await RealProgram.run("doctor", folder.path, "--report")
        #expect(report.output.contains("Signed in."))
        let account = try await world.addUser()
        let names = [
            "secret-plan", "laptop", "Notes", world.url, RealWorld.container, account.userRecordName, "/.zonefolder",
        ]
        for name in names + [account.apiToken, ProcessInfo.processInfo.hostName] {
            #expect(!report.output.contains(name), "\(name) in \(report.output)")
        }
        daemon.terminate()
        _ = try await daemon.ended(within: .seconds(60))

        let stopped = try await examine(folder)
        #expect(stopped.status == 6 || stopped.status == 4, "\(stopped.report)")
        #expect(stopped.report.levels("daemon") == ["degraded"] && stopped.report.levels("account") == ["ok"])
        chmod(folder.path + "/.zonefolder/credentials", 0o644)
        _ = try await world.stopServer()
        let ill = try await examine(folder)
        #expect(ill.status == 4)
        #expect(ill.report.levels("permissions") == ["problem"] && ill.report.levels("server") == ["problem"])
        #expect(ill.report.findings.allSatisfy { $0.level != "problem" || $0.remedy != nil }, "\(ill.report)")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/.zonefolder/credentials")
        #expect(attributes[.posixPermissions] as? Int == 0o644)

        let nowhere = try await RealProgram.run("doctor", in: "/")
        #expect(nowhere.status == 78 && nowhere.output.isEmpty && nowhere.errors.contains("zonefolder init"))
    }
}
