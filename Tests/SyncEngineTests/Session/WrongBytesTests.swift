import CloudKitClient
import CloudKitWire
import FolderControl
import StateRows
import StateStorage
import SyncModel
import Synchronization
import Testing

@testable import SessionCore
@testable import SyncEngine

/// Something on the way answers with as many bytes as it should, but others.
@Suite("Wrong bytes of the right length (reliability §4.26)", .timeLimit(.minutes(30)))
struct WrongBytesTests {
    /// A file, and what tells that bytes are not its own.
    struct Case: Sendable, CustomTestStringConvertible {
        let witness: String
        let files: [String: String]
        let path: String
        let isOpaque: Bool
        /// Whether each answer is wrong in a way of its own.
        var isNeverTheSame = false

        var testDescription: String { witness }
    }

    private static let note = ["Note/n.json": #"{"n": 1, "pic": {"$asset": "a.jpg"}}"#, "Note/a.jpg": "picture"]

    static let cases = [
        Case(witness: "a file's checksum", files: ["a.bin": "the bytes"], path: "a.bin", isOpaque: false),
        Case(
            witness: "a file record's own hash", files: ["a.bin": "the bytes"], path: "a.bin", isOpaque: true,
            isNeverTheSame: true),
        Case(witness: "a note's checksum", files: note, path: "Note/a.jpg", isOpaque: false),
        Case(witness: "a note's hint", files: note, path: "Note/a.jpg", isOpaque: true),
    ]

    private static func zeros(_ bytes: [UInt8], _ request: TransportRequest) -> [UInt8] {
        bytes.map { _ in 0 }
    }

    @Test(
        "Nothing shows while bytes differ from what is known of them; the file is named, and comes by itself",
        arguments: cases)
    func held(_ example: Case) async throws {
        try await EngineWorld.run { world in
            let view: any CloudKitTransport = example.isOpaque ? OpaqueChecksums(world.transport) : world.transport
            let proxy = AlteringProxy(view)
            let (laptop, desk) = (try world.device("laptop", over: view), try world.device("desk", over: proxy))
            for (path, text) in example.files { try laptop.write(text, to: path) }
            try await laptop.sync()
            let count = Mutex<UInt8>(0)
            let lie: AlteringProxy.Alteration = { bytes, request in
                guard example.isNeverTheSame else { return Self.zeros(bytes, request) }
                let next = count.withLock { count in
                    count &+= 1
                    return count
                }
                return bytes.map { _ in next }
            }
            proxy.alterDownloads(lie)
            for _ in 0..<2 {
                await desk.settle()
                #expect(try desk.files().isEmpty)
                let report = try await desk.report()
                #expect(report.verdict == .attention)
                let held = try #require(report.held.first)
                #expect(report.held.count == 1 && held.code == "wrongBytes")
                #expect(held.message.hasPrefix("\(example.path) is not received: the SHA-256 of the bytes"), "\(held)")
                desk.pass(.seconds(120))
            }
            #expect(Set(proxy.takeLanes()) == [.content, .freshContent])
            proxy.alterDownloads(nil)
            desk.pass(.seconds(3600))
            try await desk.sync()
            #expect(try desk.files() == example.files)
            proxy.alterDownloads(lie)
            try laptop.write("other one", to: example.path)
            try await laptop.sync()
            await desk.settle()
            // The version that was there stays: old or new (invariant 3).
            #expect(try desk.files() == example.files)
            proxy.alterDownloads(nil)
            desk.pass(.seconds(3600))
            try await desk.sync()
            try await expectInSync(
                laptop, desk, with: example.files.merging([example.path: "other one"]) { _, new in new })
        }
    }

    @Test("Bytes that came wrong over a kept connection are fetched again over a fresh one, and nobody has to know")
    func secondTry() async throws {
        try await EngineWorld.run { world in
            let proxy = AlteringProxy(world.transport)
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk", over: proxy))
            let files = Self.note.merging(["a.bin": "the bytes"]) { _, new in new }
            for (path, text) in files { try laptop.write(text, to: path) }
            try await laptop.sync()
            proxy.alterDownloads { bytes, request in
                request.lane == .freshContent ? bytes : Self.zeros(bytes, request)
            }
            await desk.settle()
            #expect(proxy.takeLanes().count { $0 == .freshContent } == 2)
            try await expectInSync(laptop, desk, with: files)
        }
    }

    @Test("An answer that is too long or too short is none, and is named with both lengths", arguments: [3, 4000])
    func wrongLength(_ length: Int) async throws {
        try await EngineWorld.run { world in
            let proxy = AlteringProxy(world.transport)
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk", over: proxy))
            try laptop.write("bytes", to: "a.bin")
            try await laptop.sync()
            proxy.alterDownloads { _, _ in [UInt8](repeating: 0, count: length) }
            await desk.settle()
            let message = try #require(try await desk.report().held.first?.message)
            #expect(
                message
                    == "a.bin is not received: \(length > 5 ? "more than its 5 bytes came" : "3 bytes came instead of 5")."
            )
            #expect(try desk.files().isEmpty)
            proxy.alterDownloads(nil)
            try await desk.sync()
            try await expectInSync(laptop, desk, with: ["a.bin": "bytes"])
        }
    }

    @Test(
        "Another program's content wins over the hash that it left in the record, which is said once",
        arguments: [(isOpaque: true, downloads: 3), (isOpaque: false, downloads: 1)])
    func staleHash(isOpaque: Bool, downloads: Int) async throws {
        try await EngineWorld.run { world in
            let view: any CloudKitTransport = isOpaque ? OpaqueChecksums(world.transport) : world.transport
            let (laptop, desk) = (try world.device("laptop", over: view), try world.device("desk", over: view))
            try laptop.write("one", to: "a.txt")
            try await converge(laptop, desk)
            var record = Record(recordName: "a.txt", recordType: "File")
            try await record.setContent(
                "two", in: ZoneID(zoneName: "Notes"), of: laptop.session.environment.database, as: .forceUpdate)
            _ = desk.network.takeOperations()
            for _ in 0..<2 {
                try await converge(laptop, desk)
                let changes = try await desk.session.environment.store.changes(limit: 1000)
                #expect(changes.filter { $0.action == JournalEntry.staleHash }.map(\.path) == [FolderPath("a.txt")])
            }
            #expect(desk.network.takeOperations().count { $0 == "download" } == downloads)
            try await expectInSync(laptop, desk, with: ["a.txt": "two"])
        }
    }

    @Test("What was altered on its way to the server is not named by a record")
    func altered() async throws {
        try await EngineWorld.run { world in
            let proxy = AlteringProxy(world.transport)
            let (laptop, desk) = (try world.device("laptop", over: proxy), try world.device("desk"))
            let files = Self.note.merging(["a.bin": "the bytes"]) { _, new in new }
            for (path, text) in files { try laptop.write(text, to: path) }
            proxy.alterUploads(Self.zeros)
            await laptop.settle()
            await desk.settle()
            #expect(try desk.files().isEmpty)
            #expect(try await laptop.report().verdict != .inSync)
            proxy.alterUploads(nil)
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: files)
        }
    }
}
