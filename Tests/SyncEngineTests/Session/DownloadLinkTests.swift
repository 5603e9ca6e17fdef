import CloudKitClient
import FolderControl
import Foundation
import GRDB
import StateStorage
import SyncModel
import Synchronization
import SystemPackage
import Testing

@testable import SyncEngine

/// Where an asset can be read is said in its record, and good for a while only (S3.19).
@Suite("Links to assets", .timeLimit(.minutes(30)))
struct DownloadLinkTests {
    @Test("A link that expired before the bytes were read is renewed by a look at the record")
    func lookedUp() async throws {
        try await EngineWorld.run { world in
            let links = ExpiredLinks(world.transport, of: ["changes/zone"])
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk", over: links))
            for number in 0..<5 { try laptop.write("bytes \(number)", to: "\(number).bin") }
            try await laptop.sync()
            try await desk.sync()
            #expect(try desk.files() == laptop.files())
            #expect(try await desk.report().verdict == .inSync)
            #expect(desk.network.takeOperations().count { $0 == "records/lookup" } == 1)
            try laptop.close()
            try desk.close()
        }
    }

    @Test("A listing of the whole zone brings new links for records that are known already")
    func listed() async throws {
        try await EngineWorld.run { world in
            let links = ExpiredLinks(world.transport, of: ["changes/zone", "records/lookup"])
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk", over: links))
            try laptop.write("bytes", to: "a.bin")
            try await laptop.sync()
            await desk.session.settle()
            #expect(try desk.files().isEmpty)

            links.expire([])
            try desk.close()
            let state = try DatabaseQueue(path: desk.folder.appending(".zonefolder/state.sqlite").string)
            try await state.write { try $0.execute(sql: "UPDATE zone SET token = NULL, listing = 0") }
            try state.close()
            try desk.restart()
            // The link is good before anything fails, so that nothing has to be looked up.
            _ = desk.network.takeOperations()
            try await desk.sync()
            #expect(try desk.files() == ["a.bin": "bytes"])
            #expect(!desk.network.takeOperations().contains("records/lookup"))
            try laptop.close()
            try desk.close()
        }
    }
}

/// A server whose answers to some operations are so old by now that the links in them have expired.
final class ExpiredLinks: CloudKitTransport {
    private let network: any CloudKitTransport
    private let operations: Mutex<Set<String>>

    init(_ network: any CloudKitTransport, of operations: Set<String>) {
        self.network = network
        self.operations = Mutex(operations)
    }

    func expire(_ operations: Set<String>) {
        self.operations.withLock { $0 = operations }
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var response = try await network.send(request)
        guard operations.withLock({ $0.contains(FaultyNetwork.operation(of: request)) }) else { return response }
        let text = String(decoding: response.body, as: UTF8.self)
        response.body = Array(text.replacing(/\?e=[0-9]+&/, with: "?e=1&").utf8)
        return response
    }

    func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        try await network.download(request, into: sink)
    }
}
