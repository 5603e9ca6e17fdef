import CloudKitServer
import CloudKitWire
import Foundation
import Logging
import Synchronization
import SystemPackage

/// A server inside the test, so that every request is seen, with the folders of one user, which are real.
final class ObservedWorld: Sendable {
    static let container = "iCloud.org.example.observed"

    let place: URL
    let url: String
    private let server: WebServicesServer
    private let running: Task<Void, any Error>
    private let answered: Answered

    /// Starts a server on a free port.
    init(_ configure: (inout WebServicesServer.Configuration) -> Void = { _ in }) async throws {
        place = FileManager.default.temporaryDirectory.appending(path: "zf-observed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let answered = Answered()
        var configuration = WebServicesServer.Configuration(
            dataDirectory: FilePath(place.appending(path: "server").path))
        configuration.port = 0
        configuration.observe = { event in
            if case .answered(let request, let status) = event { answered.add(request, status) }
        }
        configure(&configuration)
        let server = try WebServicesServer(
            configuration: configuration, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        running = Task { try await server.run() }
        url = "http://127.0.0.1:\(try await server.boundPort())"
        self.server = server
        self.answered = answered
    }

    deinit {
        running.cancel()
        try? FileManager.default.removeItem(at: place)
    }

    /// Adds a sign-in of the user.
    func addUser() throws -> NewUser {
        try server.store.addUser(name: "ada", container: Self.container, environment: "development")
    }

    /// Makes a folder that is set up for a zone.
    func addFolder(_ name: String, zone: String = "Notes") async throws -> RealFolder {
        let user = try addUser()
        let folder = RealFolder(url: place.appending(path: name))
        let outcome = try await RealProgram.run(
            "init", folder.path, "--server", url, "--container", Self.container, "--zone", zone, "--device", name,
            "--api-token", user.apiToken, "--web-auth-token-file", "-", input: user.webAuthToken + "\n")
        guard outcome.status == 0 else { throw TestFailure(outcome.errors) }
        return folder
    }

    /// Sets a field of a record, as another client of the account does.
    func set(_ field: String, of name: String, type: String, to value: Int64) throws {
        let record = Record(
            recordName: name, recordType: type, fields: [field: CloudKitWire.Field(.int64(value))])
        let request = RecordsModifyRequest(
            operations: [RecordOperation(.forceUpdate, record)], zoneID: ZoneID(zoneName: "Notes"))
        let answer = try server.store.modify(request, as: caller())
        guard case .success? = answer.records.first else { throw TestFailure("not saved: \(answer)") }
    }

    private func caller() throws -> Caller {
        let user = try addUser()
        guard
            let caller = try server.store.caller(
                userRecordName: user.userRecordName, container: Self.container, environment: "development")
        else { throw TestFailure("the user is not there") }
        return caller
    }

    /// The requests answered since this was last asked, but for couriers.
    func takeRequests() -> [ObservedRequest] {
        answered.take().filter { $0.operation != "courier" }
    }

    /// Operations that were refused for their credentials since the beginning.
    var refused: [String] { answered.refused }

    /// The zone's living records, and how many changes its feed has named since its beginning.
    func records() throws -> (living: [String: Record], deleted: Int) {
        let caller = try caller()
        var living: [String: Record] = [:]
        var deleted = 0
        var token: String?
        while true {
            let query = ZoneChangesQuery(zoneID: ZoneID(zoneName: "Notes"), syncToken: token, resultsLimit: 200)
            let answer = try server.store.zoneChanges(ZoneChangesRequest(zones: [query]), as: caller)
            guard case .success(let page)? = answer.zones.first else { throw TestFailure("no page: \(answer)") }
            for case .success(let record) in page.records {
                if record.deleted == true { deleted += 1 } else { living[record.recordName ?? ""] = record }
            }
            token = page.syncToken
            guard page.moreComing else { return (living, deleted) }
        }
    }

    private final class Answered: Sendable {
        private let requests = Mutex<[ObservedRequest]>([])
        private let refusals = Mutex<[String]>([])

        var refused: [String] { refusals.withLock { $0 } }

        func add(_ request: ObservedRequest, _ status: Int) {
            requests.withLock { $0.append(request) }
            if status == 401 || status == 421 { refusals.withLock { $0.append(request.operation) } }
        }

        func take() -> [ObservedRequest] {
            requests.withLock { requests in
                defer { requests = [] }
                return requests
            }
        }
    }
}
