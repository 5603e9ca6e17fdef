import Crypto
import Foundation
import Logging
import SystemPackage
import Testing

@testable import CloudKitServer

@Suite("Assets that no record names, while the server runs")
struct AssetSweepTests {
    /// Runs a server whose assets were all sent two hours ago: `[2]`, which the record `a` names, `[1]`, which it named
    /// before, and `[3]`, which no record ever did.
    private func withAssets(
        _ body:
            @Sendable (_ server: TestServer, _ files: FilePath, _ old: TestJSON, _ new: TestJSON) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let files = directory.appending("assets")
            var silent = Logger(label: "test")
            silent.logLevel = .critical
            try await withServer(in: directory, logger: silent) { server in
                try await server.makeZone()
                let old = try await server.save(server.upload([1], for: "a"), as: "a")
                let new = try await server.save(server.upload([2], for: "a"), as: "a")
                _ = try await server.upload([3], for: "b")
                try age(files)
                try await body(server, files, old, new)
            }
        }
    }

    private func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    @Test("What is unused at two looks goes, with its links; what is used stays")
    func twoLooks() async throws {
        try await withAssets { server, files, old, new in
            let sweeper = AssetSweeper(of: server.server)
            let unused = await sweeper.sweep(unusedBefore: [])
            #expect(unused.count == 2)
            let stored = try regularFiles(below: files)
            #expect(stored == 3)
            #expect(try await server.download(old).body == [1])

            let left = await sweeper.sweep(unusedBefore: unused)
            #expect(left.isEmpty)
            #expect(try regularFiles(below: files) == 1)
            #expect(try await server.download(old).status == 410)
            #expect(try await server.download(new).body == [2])
        }
    }

    @Test("What was sent again between two looks stays, and can be saved")
    func sentAgain() async throws {
        try await withAssets { server, files, _, _ in
            let sweeper = AssetSweeper(of: server.server)
            let unused = await sweeper.sweep(unusedBefore: [])
            let asset = try await server.upload([3], for: "b")
            let left = await sweeper.sweep(unusedBefore: unused)
            #expect(left == [sha256([3])])
            let saved = try await server.save(asset, as: "b")
            #expect(saved["serverErrorCode"].isAbsent)
            #expect(try await server.download(saved).body == [3])
            let leftAtLast = await sweeper.sweep(unusedBefore: left)
            #expect(leftAtLast.isEmpty)
            #expect(try regularFiles(below: files) == 2)
        }
    }

    @Test("What a record names by the time of its removal is not removed")
    func lateUse() async throws {
        try await withAssets { server, _, _, _ in
            let assets = [sha256([1]), sha256([2]), sha256([3])]
            let gone = try server.server.store.forgetUnused(among: assets) { $0 != assets[2] }
            #expect(gone == [assets[0]])
        }
    }

    @Test("A directory that cannot be swept keeps no other from being swept")
    func badDirectory() async throws {
        try await withAssets { server, files, _, _ in
            let path = server.server.files.path(sha256([1])).string
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try age(files)
            let sweeper = AssetSweeper(of: server.server)
            let unused = await sweeper.sweep(unusedBefore: [])
            let left = await sweeper.sweep(unusedBefore: unused)
            #expect(left.isEmpty)
            #expect(try regularFiles(below: files) == 1)
        }
    }

    @Test("The server sweeps each hour until it ends")
    func hourly() async throws {
        try await withAssets { server, files, _, _ in
            let clock = HastyClock(sleeps: 2)
            let sweeping = Task { await AssetSweeper(of: server.server, clock: clock).run() }
            await clock.sleepsAreOver()
            let stored = try regularFiles(below: files)
            #expect(stored == 1)
            sweeping.cancel()
            await sweeping.value
        }
    }
}
