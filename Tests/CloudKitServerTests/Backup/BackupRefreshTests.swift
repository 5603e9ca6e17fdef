import Foundation
import SystemPackage
import Testing

@testable import CloudKitServer

@Suite("A backup where there is an earlier one, or the rest of one")
struct BackupRefreshTests {
    private struct Interruption: Error {}

    private static let steps: [@Sendable (BackupStep) -> Bool] = [
        { if case .databaseCopied = $0 { true } else { false } },
        { if case .assetsCopied(2, _) = $0 { true } else { false } },
        { $0 == .complete },
    ]

    /// Backs up until a step, at which it ends as if the process did.
    private func interrupt(_ world: BackupWorld, at step: Int) throws -> ServerError? {
        let error = #expect(throws: ServerError.self) {
            try world.backUp { if Self.steps[step]($0) { throw Interruption() } }
        }
        return error
    }

    private func number(ofFile path: FilePath) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path.string)[.systemFileNumber] as? Int ?? 0
    }

    @Test("What it has is not copied again, what is new is, and what no record names any more goes")
    func refresh() async throws {
        try await withBackupWorld { world in
            try world.save("a", [1])
            try world.save("b", [2, 2])
            try world.backUp()
            let kept = world.target.appending(AssetCopier.name(of: try world.files.store([2, 2])))
            let number = try number(ofFile: kept)

            try world.save("a", [3, 3, 3])
            let report = try world.backUp()
            #expect(report.records == 2 && report.assets == 2 && report.assetBytes == 5)
            #expect(report.copiedAssets == 1 && report.copiedBytes == 3 && report.removedAssets == 1)
            #expect(try self.number(ofFile: kept) == number)
            #expect(try regularFiles(below: world.target.appending("assets")) == 2)
            #expect(try BackupWorld.contents(of: world.target) == ["a": [3, 3, 3], "b": [2, 2]])

            let again = try world.backUp()
            #expect(again.copiedAssets == 0 && again.removedAssets == 0)
        }
    }

    @Test("A whole copy stays when the server's own file is damaged later, and one that is cut short is made anew")
    func damage() async throws {
        try await withBackupWorld { world in
            try world.save("a", [1])
            try world.save("b", [2, 2])
            try world.backUp()
            let (a, b) = (try world.files.store([1]), try world.files.store([2, 2]))
            try Data([9]).write(to: URL(fileURLWithPath: world.files.path(a).string))
            let cut = world.target.appending(AssetCopier.name(of: b))
            try Data([2]).write(to: URL(fileURLWithPath: cut.string))
            let report = try world.backUp()
            #expect(report.lost.isEmpty && report.copiedAssets == 1)
            #expect(try BackupWorld.contents(of: world.target) == ["a": [1], "b": [2, 2]])
        }
    }

    @Test("One that is interrupted has no place yet, and the next one goes on with it", arguments: steps.indices)
    func interruptedNew(step: Int) async throws {
        try await withBackupWorld { world in
            try world.save("a", [1])
            try world.save("b", [2])
            let error = try interrupt(world, at: step)
            #expect(error?.message.contains("\(world.unfinished), and is no backup") == true)
            #expect(!isThere(world.target))
            #expect(!isThere(world.unfinished.appending("server.sqlite")))

            try world.save("c", [3])
            let report = try world.backUp()
            #expect(report.copiedAssets == (step == 2 ? 1 : 3) && report.lost.isEmpty)
            #expect(try BackupWorld.contents(of: world.target) == ["a": [1], "b": [2], "c": [3]])
            #expect(!isThere(world.unfinished))
        }
    }

    @Test("While it is brought up to date it is the backup that it was", arguments: steps.indices)
    func interruptedRefresh(step: Int) async throws {
        try await withBackupWorld { world in
            try world.save("a", [1])
            try world.save("b", [2])
            try world.backUp()
            try world.save("a", [3])
            try world.save("b", [4])
            let error = try interrupt(world, at: step)
            #expect(error?.message.contains("What is there is a whole backup.") == true)
            #expect(try BackupWorld.contents(of: world.target) == ["a": [1], "b": [2]])

            let report = try world.backUp()
            #expect(report.removedAssets == 2 && report.lost.isEmpty)
            #expect(try BackupWorld.contents(of: world.target) == ["a": [3], "b": [4]])
        }
    }

    @Test("What a command stores in the earlier backup while it is brought up to date stays", arguments: [false, true])
    func storedMeanwhile(isOpen: Bool) async throws {
        try await withBackupWorld { world in
            try world.save("a", [1])
            try world.backUp()
            try world.save("a", [2])
            let log = world.target.appending("server.sqlite-wal").string
            let error = #expect(throws: ServerError.self) {
                try world.backUp { step in
                    guard step == .complete else { return }
                    if isOpen {
                        try Data([7]).write(to: URL(fileURLWithPath: log))
                    } else {
                        _ = try WebServicesServer.addUser(
                            name: "bob", container: BackupWorld.container, environment: "development", in: world.target)
                    }
                }
            }
            #expect(error?.message.hasPrefix("\(world.target) is not a backup as it was made") == true)
            if isOpen { try FileManager.default.removeItem(atPath: log) }
            #expect(try BackupWorld.contents(of: world.target) == ["a": [1]])
            let people = try WebServicesServer.people(container: nil, in: world.target).map(\.name).sorted()
            #expect(people == (isOpen ? ["ada"] : ["ada", "bob"]))
        }
    }

    @Test("What a process left that was killed, and what the disk made of it, does not show in the next one")
    func leftovers() async throws {
        try await withBackupWorld { world in
            try world.save("a", [1, 2, 3])
            let asset = world.unfinished.appending(AssetCopier.name(of: try world.files.store([1, 2, 3])))
            let (uploads, manager) = (world.unfinished.appending("uploads"), FileManager.default)
            for folder in [asset.removingLastComponent(), uploads] {
                try manager.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
            }
            try Data([1, 2]).write(to: URL(fileURLWithPath: asset.string))
            for file in [uploads.appending("server.sqlite"), uploads.appending("server.sqlite-wal")] {
                try Data([7]).write(to: URL(fileURLWithPath: file.string))
            }
            try Data([7]).write(to: URL(fileURLWithPath: world.unfinished.appending("server.sqlite").string))
            try world.backUp()
            #expect(try BackupWorld.contents(of: world.target) == ["a": [1, 2, 3]])
            #expect(try manager.contentsOfDirectory(atPath: world.target.appending("uploads").string).isEmpty)
        }
    }
}
