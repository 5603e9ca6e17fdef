import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Two folders of one zone; on the laptop things go wrong, and its daemon runs all the time.
struct HeldWorld {
    let world: RealWorld
    let laptop: RealFolder
    let desk: RealFolder
    private let daemons: [RunningProgram]

    /// The largest file that the laptop sends.
    static let assetLimit = 1000

    init() async throws {
        world = try await RealWorld()
        laptop = try await world.addFolder("laptop")
        desk = try await world.addFolder("desk")
        try laptop.set("asset_limit_bytes", to: "\(Self.assetLimit)")
        daemons = try [Self.runBoundByPermissions(laptop), desk.run()]
        try await laptop.untilDaemonAnswers(daemons[0])
        try await desk.untilDaemonAnswers(daemons[1])
    }

    /// Runs the daemon as a person's would be: root may read everything, unless it gives up the capabilities for it.
    private static func runBoundByPermissions(_ folder: RealFolder) throws -> RunningProgram {
        guard getuid() == 0 else { return try folder.run() }
        return try RunningProgram(
            arguments: [
                "--bounding-set=-dac_override,-dac_read_search", RealProgram.executable.path, "run", folder.path,
            ], executable: URL(filePath: "/usr/bin/setpriv"))
    }

    /// Writes a file on the laptop, and waits until the desk has it.
    func share(_ text: String, as name: String) async throws {
        try laptop.write(text, to: name)
        try await untilDeskHas(name, text)
    }

    func untilDeskHas(_ name: String, _ text: String) async throws {
        guard try await eventually(within: .seconds(120), { desk.read(name) == text }) else {
            throw TestFailure("\(name) on the desk: \(desk.read(name) ?? "absent")\n\(daemons[0].errors)")
        }
    }

    /// Waits until the laptop's status names a path as held, without being asked to look.
    func held(_ name: String) async throws -> RealFolder.Report.Held {
        for _ in 0..<500 {
            if let held = try await laptop.report().held.first(where: { $0.path == name }) { return held }
        }
        throw TestFailure("\(name) is not held: \(try await laptop.report())")
    }

    /// Waits until a folder's status says `in-sync`, without being asked to look.
    func untilInSync(_ folder: RealFolder) async throws {
        for _ in 0..<500 where try await folder.report().verdict == "in-sync" { return }
        throw TestFailure("not in sync: \(try await folder.report())")
    }

    /// Waits until a folder says that it cannot read something, and nothing else is under way: the other device's save
    /// may come between settling and answering.
    func untilDegraded(_ folder: RealFolder) async throws {
        var last: RealProgram.Outcome?
        for _ in 0..<20 {
            let outcome = try await RealProgram.run("status", folder.path, "--wait=20")
            if outcome.status == 6 { return }
            last = outcome
        }
        throw TestFailure("not degraded: \(last?.output ?? "")")
    }

    /// Renames a file on the laptop.
    func rename(_ old: String, to new: String) throws {
        try FileManager.default.moveItem(atPath: laptop.path + "/" + old, toPath: laptop.path + "/" + new)
    }

    /// Sets the mode of something on the laptop.
    func allow(_ mode: Int, on name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: laptop.path + "/" + name)
    }
}
