import CloudKitServer
import CloudKitWire
import LosslessJSON
import RemoteZone
import SessionCore
import SyncEngine
import WireCoding

/// What requests meet on their way.
extension World {
    func fate(of operation: String, from number: Int, _ life: Life) -> SimulatedNetwork.Fate {
        let device = devices[number]
        let now = time.steady
        device.requests += 1
        // The dead are not heard any more, but what they sent may be on its way.
        if life.isDead { return random.once(in: 2) ? .answerLost : .lost }
        if let end = device.offlineUntil {
            if now < end { return .unreachable }
            device.offlineUntil = nil
        }
        if let end = device.flakyUntil {
            if now >= end {
                device.flakyUntil = nil
            } else {
                switch random.below(6) {
                case 0: return .lost
                case 1, 2: return .answerLost
                case 3: return .unreachable
                case 4: return .twice
                default: break
                }
            }
        }
        guard let index = serverFaults.firstIndex(where: { $0.fault.concerns(operation) }) else { return .pass }
        let fault = serverFaults[index].fault
        serverFaults[index].left -= 1
        if serverFaults[index].left <= 0 { serverFaults.remove(at: index) }
        trace.note("\(now) device\(number) \(operation) meets \(fault.rawValue)")
        return fault.fate
    }

    func answered(_ operation: String, _ body: [UInt8], _ status: Int, _ answer: [UInt8], to number: Int) {
        trace.note("\(time.steady) device\(number) \(operation) \(body.count) -> \(status)")
        guard status == 200 else { return }
        if ["assets/upload-bytes", "records/modify"].contains(operation),
            body.holds(SimulatedDevice.secret)
        {
            fail(.noSecretLeaves, "device\(number) sends what its credentials hold by \(operation)")
        }
        if operation == "assets/upload-bytes" {
            devices[number].sentWords.formUnion(Ledger.words(in: body))
            devices[number].uploadedWords.formUnion(Ledger.words(in: body))
        }
        guard operation == "records/modify" else { return }
        guard let request = (try? JSONDocument(parsing: body))?.root else { return }
        checkSaves(request, answer, by: number)
        // What the server has may not be lost any more, whatever becomes of the disk that it came from. It takes some records
        // of a request and refuses others.
        let words = devices[number].uploadedWords.union(wordsOfTexts(in: request))
        devices[number].uploadedWords = []
        let isWhole = !answer.holds(Array("serverErrorCode".utf8))
        ledger.sent(isWhole ? words : words.intersection(servedWords()), by: number)
        // Most of the pushes come through.
        for device in devices where device.number != number && !random.once(in: 4) { device.inbox?.news.receivePush() }
    }

    /// An update sends what changed.
    private func checkSaves(_ request: JSONNode, _ answer: [UInt8], by number: Int) {
        guard let request = try? RecordsModifyRequest(json: request),
            let response = try? RecordsResponse.decode(answer)
        else { return }
        for (operation, result) in zip(request.operations, response.records) {
            guard case .success(let record) = result else { continue }
            if let field = versions.untouchedField(in: operation) {
                fail(
                    .untouchedFields,
                    "device\(number) sends '\(field)' of \(record.recordName ?? "none") as the zone has it")
            }
            versions.saved(record)
        }
    }

    /// The words in the STRING fields of a request's records: what else is in it may look like one.
    private func wordsOfTexts(in request: JSONNode) -> Set<String> {
        var words: Set<String> = []
        guard let operations = request["operations"] else { return words }
        for operation in operations.elements {
            guard let fields = operation["record"]?["fields"] else { continue }
            for field in fields.members {
                words.formUnion(Ledger.words(in: (field.value["value"]?.string ?? "").utf8))
            }
        }
        return words
    }
}

extension ServerFault {
    func concerns(_ operation: String) -> Bool {
        switch self {
        case .unavailable, .throttled, .html, .lostAnswer, .twice: true
        case .busy, .zoneBusy: operation == "records/modify" || operation == "changes/zone"
        case .expiredToken, .emptyPage, .smallPages, .standingToken, .dropTombstones:
            operation == "changes/zone" || operation == "changes/database"
        case .childrenFirst, .badRequestZone: operation == "changes/zone"
        case .recordError: operation == "changes/zone" || operation == "records/modify"
        case .quota: operation == "records/modify"
        case .wrongBytes: operation == "assets/download"
        }
    }

    var fate: SimulatedNetwork.Fate {
        switch self {
        case .unavailable:
            .instead(
                status: 503, headers: ["Retry-After": "2"],
                body: #"{"serverErrorCode":"TRY_AGAIN_LATER","reason":"try again","retryAfter":2}"#)
        case .throttled:
            .instead(
                status: 429, headers: [:], body: #"{"serverErrorCode":"THROTTLED","reason":"slow down","retryAfter":3}"#
            )
        case .busy:
            .instead(status: 503, headers: [:], body: #"{"serverErrorCode":"ZONE_BUSY","reason":"busy"}"#)
        case .zoneBusy: .altered([.alter(.zoneError(ErrorDictionary(.zoneBusy, reason: "busy"), syncToken: nil))])
        case .html: .instead(status: 502, headers: [:], body: "<html>Bad gateway</html>")
        case .lostAnswer: .answerLost
        case .twice: .twice
        case .expiredToken: .altered([.alter(.expireTokens)])
        case .emptyPage: .altered([.alter(.emptyPage)])
        case .smallPages: .altered([.alter(.pageSize(1))])
        case .standingToken: .altered([.alter(.standingToken)])
        case .childrenFirst: .altered([.alter(.childrenFirst)])
        case .dropTombstones: .altered([.alter(.dropTombstones)])
        case .wrongBytes: .altered([.alter(.wrongBytes)])
        case .badRequestZone:
            .altered([.alter(.zoneError(ErrorDictionary(.badRequest, reason: "bad token"), syncToken: ""))])
        case .recordError:
            .altered([.alter(.recordError(ErrorDictionary(.internalError, reason: "internal"), recordName: nil))])
        case .quota:
            .altered([.alter(.recordError(ErrorDictionary(.quotaExceeded, reason: "no room"), recordName: nil))])
        }
    }
}
