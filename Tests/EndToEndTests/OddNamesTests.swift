import Foundation
import Testing

@Suite("Names that are no text", .timeLimit(.minutes(30)))
struct OddNamesTests {
    /// As `printf` writes them, and as they are shown.
    private static let names = [(#"new\nline.txt"#, #"new\x0Aline.txt"#), (#"caf\351.txt"#, #"caf\xE9.txt"#)]

    /// Runs a line of shell in which `$P` is the program, `$F` a folder, and `$N` a name in it.
    private static func shell(_ line: String, _ folder: RealFolder, _ name: String) async throws -> RealProgram.Outcome
    {
        let process = try RunningProgram(
            arguments: [
                "P=\(RealProgram.executable.path)", "F=\(folder.path)", "/bin/sh", "-c",
                "N=$(printf '\(name)'); \(line)",
            ], executable: URL(filePath: "/usr/bin/env"))
        let status = try await process.ended(within: .seconds(120))
        return RealProgram.Outcome(status: status ?? -1, output: process.output, errors: process.errors)
    }

    private static func inBoth(_ folders: [RealFolder], _ command: String) async throws {
        for folder in folders { #expect(try await RealProgram.run(command, folder.path).status == 0) }
    }

    @Test("Their conflicts are settled, and each is reached by its bytes and by the name that is shown")
    func reached() async throws {
        let world = try await RealWorld()
        let folders = [try await world.addFolder("laptop"), try await world.addFolder("desk")]
        for (name, _) in Self.names {
            #expect(try await Self.shell(#"printf base > "$F/$N""#, folders[0], name).status == 0)
        }
        try await Self.inBoth(folders, "start")
        for folder in folders + folders { #expect(try await folder.settledVerdict() == "in-sync") }
        try await Self.inBoth(folders, "pause")
        for (name, _) in Self.names {
            for folder in folders { _ = try await Self.shell(#"printf "$F" > "$F/$N""#, folder, name) }
        }
        try await Self.inBoth(folders, "resume")
        for folder in folders + folders { _ = try await folder.settledVerdict() }

        for folder in folders {
            let table = try await RealProgram.run("conflicts", folder.path)
            guard table.status == 4 else { continue }
            #expect(!table.output.contains("not there"), "\(table.output)")
            let settled = try await RealProgram.run("resolve", "--all", "--mine", folder.path)
            #expect(settled.status == 0, "\(settled)")
        }
        for folder in folders + folders { #expect(try await folder.settledVerdict() == "in-sync") }

        for (name, shown) in Self.names {
            for command in ["status", "history", "events"] {
                let byBytes = try await Self.shell(#""$P" \#(command) "$F/$N""#, folders[0], name)
                let byShown = try await RealProgram.run(command, folders[0].path + "/" + shown)
                #expect(byBytes.status == 0 && byBytes.output.contains(shown), "\(byBytes)")
                // What status tells besides has ages, and time goes on.
                let heads = [byShown, byBytes].map { $0.output.split(separator: "\n\n").first }
                #expect(heads[0] == heads[1], "\(byShown)")
            }
            let standing = try await RealProgram.run("status", folders[0].path + "/" + shown)
            #expect(standing.output.hasPrefix("in-sync: \(shown) is the same on both sides."), "\(standing)")
            #expect(try await Self.shell(#"rm "$F/$N""#, folders[0], name).status == 0)
            let restored = try await RealProgram.run("restore", folders[0].path + "/" + shown)
            #expect(restored.status == 0, "\(restored)")
            #expect(try await Self.shell(#"test -s "$F/$N""#, folders[0], name).status == 0)
        }
        try await Self.inBoth(folders, "stop")
    }
}
