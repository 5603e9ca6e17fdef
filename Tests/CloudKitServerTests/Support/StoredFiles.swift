import Foundation
import Synchronization
import SystemPackage

@testable import CloudKitServer

extension TestServer {
    /// Where to send bytes for a field `content` of a record.
    func uploadURL(for record: String, in zone: String = "Folder") async throws -> String {
        let reply = try await post(
            "assets/upload",
            #"{"zoneID":{"zoneName":"\#(zone)"},"tokens":[{"recordType":"File","recordName":"\#(record)","fieldName":"content"}]}"#
        )
        return reply["tokens"][0]["url"].string ?? ""
    }

    /// Stores bytes for a field `content` of a record.
    /// - Returns: The asset's dictionary, with a receipt.
    func upload(_ bytes: [UInt8], for record: String) async throws -> TestJSON {
        try await sendRaw("POST", uploadURL(for: record), bytes)["singleFile"]
    }

    /// Saves a record whose `content` is an asset.
    func save(_ asset: TestJSON, as record: String) async throws -> TestJSON {
        try await modify(
            #"{"operationType":"forceUpdate","record":{"recordType":"File","recordName":"\#(record)","fields":{"content":{"value":\#(asset),"type":"ASSETID"}}}}"#
        )["records"][0]
    }

    /// Downloads the asset of a record as an answer names it.
    func download(_ record: TestJSON) async throws -> Reply {
        try await sendRaw("GET", Self.link(record), nil)
    }

    static func link(_ record: TestJSON) -> String {
        record["fields"]["content"]["value"]["downloadURL"].string?.replacing("${f}", with: "f") ?? ""
    }
}

extension AssetFiles {
    /// Stores bytes as an upload does.
    /// - Returns: Their SHA-256.
    @discardableResult
    func store(_ bytes: [UInt8]) throws -> [UInt8] {
        let file = try newFile(named: UUID().uuidString)
        do {
            try bytes.withUnsafeBytes { try file.write($0) }
            return try keep(file).sha256
        } catch {
            file.discard()
            throw error
        }
    }
}

/// Lets all that is below a directory have been written two hours ago.
func age(_ directory: FilePath) throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: directory.string) {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: directory.appending(name).string)
    }
}

/// How many descriptors this process has of files in `assets/` of a server's directory.
func openAssets(in directory: FilePath) throws -> Int {
    let part = "/\(directory.lastComponent?.string ?? "")/assets/"
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
        // Others come and go meanwhile.
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
        return target?.contains(part) ?? false
    }
}

/// A clock by which some sleeps are over at once, and the next one never is.
final class HastyClock: Clock {
    typealias Duration = Swift.Duration
    typealias Instant = ContinuousClock.Instant

    private let sleepsLeft: Mutex<Int>
    private let (over, overContinuation) = AsyncStream<Void>.makeStream()
    private let (never, neverContinuation) = AsyncStream<Void>.makeStream()

    init(sleeps: Int) {
        sleepsLeft = Mutex(sleeps)
    }

    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let isOver = sleepsLeft.withLock { left in
            left -= 1
            return left < 0
        }
        guard isOver else { return }
        overContinuation.finish()
        for await _ in never {}
        throw CancellationError()
    }

    /// Waits until somebody sleeps for ever.
    func sleepsAreOver() async {
        for await _ in over {}
    }
}
