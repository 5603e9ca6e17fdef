import CloudKitServer
import CloudKitWire
import Testing

/// What users of sync tools suffer, made impossible: each row of reliability §6 is the name of a test, which brings about
/// what the complaint tells of and shows that its harm does not follow. Where it is about processes, the test is in
/// `EndToEndTests`.
@Suite("Complaints (reliability §6)", .timeLimit(.minutes(30)))
struct Complaints {}

extension EngineWorld {
    /// What the server holds of the zone, asked for without any of the devices.
    struct Zone: Equatable {
        /// The change tags of the living records, by name.
        var tags: [String: String] = [:]
        /// How many deletions the feed tells of.
        var deletions = 0
    }

    /// The zone's records as they are now.
    func zone() throws -> Zone {
        guard
            let caller = try server.store.caller(
                userRecordName: userRecordName(), container: Self.container, environment: "development")
        else { throw SharedWorldFailure(text: "the user is not there") }
        var zone = Zone()
        var token: String?
        while true {
            let query = ZoneChangesQuery(zoneID: ZoneID(zoneName: "Notes"), syncToken: token, resultsLimit: 200)
            let answer = try server.store.zoneChanges(ZoneChangesRequest(zones: [query]), as: caller)
            guard case .success(let page)? = answer.zones.first else { throw SharedWorldFailure(text: "\(answer)") }
            for case .success(let record) in page.records {
                if record.deleted == true {
                    zone.deletions += 1
                } else {
                    zone.tags[record.recordName ?? ""] = record.recordChangeTag
                }
            }
            token = page.syncToken
            guard page.moreComing else { return zone }
        }
    }

    /// Two devices that agree on these files.
    func pair(with files: [String: String]) async throws -> (laptop: EngineDevice, desk: EngineDevice) {
        let (laptop, desk) = (try device("laptop"), try device("desk"))
        for (path, text) in files { try laptop.write(text, to: path) }
        try await converge(laptop, desk)
        guard try desk.files() == laptop.files() else { throw SharedWorldFailure(text: "the devices do not agree") }
        return (laptop, desk)
    }
}

extension EngineDevice {
    /// Operations that change something on the server.
    static let changing: Set<String> = [
        "records/modify", "zones/modify", "assets/upload", "assets/rereference", "upload",
    ]

    /// The operations since this was last asked that change something on the server.
    func takeChanges() -> [String] {
        network.takeOperations().filter(Self.changing.contains)
    }
}

extension FaultRule {
    /// Something that is no JSON, as a proxy or a balancer says it.
    static func html(_ status: Int, on operation: String, times: Int? = nil) -> FaultRule {
        FaultRule(
            .answer(status: status, contentType: "text/html", body: Array("<h1>\(status)</h1>".utf8), headers: [:]),
            on: .init(operation: operation), times: times)
    }

    /// An error of the protocol for the whole request.
    static func refusal(_ code: String, _ status: Int, on operation: String, times: Int? = nil) -> FaultRule {
        FaultRule(
            .refuse(ErrorDictionary(.init(rawValue: code), reason: "on demand"), status: status),
            on: .init(operation: operation), times: times)
    }
}
