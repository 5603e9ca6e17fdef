package import CloudKitWire
import WireCoding

/// Something wrong inside an answer that is a success as a whole.
package enum AnswerFault: Hashable, Sendable {
    /// Every sync token is expired: the zone's entry says so, or the request's error (protocol §3.5, §10.6).
    case expireTokens
    /// The zone's entry is an error. The service was seen to give such an entry a `syncToken`, too, an empty one.
    case zoneError(ErrorDictionary, syncToken: String?)
    /// One record's entry is an error, or each one's. What is so refused in `records/modify` is not done; in an atomic
    /// request then nothing is.
    case recordError(ErrorDictionary, recordName: String?)
    /// A page without records, with `moreComing` and a token that has moved on; what it was to bring comes later.
    case emptyPage
    /// The page's token is the request's, and more is coming: a client that goes on never ends.
    case standingToken
    /// Pages are this small.
    case pageSize(Int)
    /// A page's entries in reverse: children before their parents.
    case childrenFirst
    /// A fetch without a token brings no tombstones, on none of its pages (protocol §3.5).
    case dropTombstones
    /// The caller is somebody else.
    case otherUser(String)
    /// Queries do not see what was created so lately (protocol §3.3).
    case staleIndex(Duration)
    /// An asset's download has as many bytes as it should, and none of the right ones: each is the complement of what it was.
    case wrongBytes
}

/// A request as its handler gets it under some ``AnswerFault``.
package enum AlteredRequest: Hashable, Sendable {
    case body([UInt8])
    case refused(ErrorDictionary)
}

/// Pure functions over the JSON of a request and its answer, so that a server and a simulation can share them.
///
/// Both go through JSON as it is written and touch nothing else in it. The tokens that they give out carry what a later
/// page needs to know, so nothing is remembered between two requests; see ``FaultToken``.
package struct AnswerFaults: Hashable, Sendable {
    /// One fault, in one zone or in all.
    package struct Part: Hashable, Sendable {
        package var fault: AnswerFault
        package var zone: String?

        func concerns(_ zone: String?) -> Bool {
            self.zone.map { $0.utf8.elementsEqual((zone ?? ZoneID.defaultZoneName).utf8) } ?? true
        }
    }

    package var operation: String
    package var parts: [Part]
    /// Milliseconds since 1970.
    package var now: Int64

    package init(_ faults: [Fault], operation: String, now: Int64) {
        self.operation = operation
        self.now = now
        parts = faults.compactMap {
            if case .alter(let fault, let zone) = $0 { Part(fault: fault, zone: zone) } else { nil }
        }
    }

    /// What the store is to be asked instead. Call it for every request while faults are about: it takes apart the tokens
    /// that earlier answers gave out.
    package func request(_ body: [UInt8]) -> AlteredRequest {
        guard var request = RawObject(body) else { return .body(body) }
        switch operation {
        case "changes/zone":
            FaultToken.unwrap("syncToken", in: &request)
            request.changeList("zones") { zone in
                FaultToken.unwrap("syncToken", in: &zone)
                for part in parts where part.concerns(zone.zoneName) { part.fault.limit(&zone) }
            }
        case "changes/database", "records/changes", "zones/changes":
            let key = operation == "zones/changes" ? "metaSyncToken" : "syncToken"
            let hadToken = request[key]?.string?.isEmpty == false
            FaultToken.unwrap(key, in: &request)
            for part in parts where part.concerns(request.zoneName) || operation != "records/changes" {
                if part.fault == .expireTokens, hadToken { return .refused(.unknownContinuation) }
                part.fault.limit(&request)
            }
        case "records/modify":
            if let allowed = modifications(in: request) { request["operations"] = .array(allowed) }
        default: return .body(body)
        }
        return .body(request.bytes)
    }

    /// The answer that the client gets, from the store's to the altered request.
    /// - Parameter original: The request as the client sent it.
    package func answer(_ body: [UInt8], to original: [UInt8]) -> [UInt8] {
        guard !parts.isEmpty, var answer = RawObject(body) else { return body }
        let request = RawObject(original) ?? RawObject()
        switch operation {
        case "changes/zone":
            let asked = request.list("zones")
            var index = 0
            answer.changeList("zones") { entry in
                let query = index < asked.count ? asked[index] : RawObject()
                index += 1
                let token = query["syncToken"]?.string ?? request["syncToken"]?.string
                alter(&entry, list: "records", tokenKey: "syncToken", askedWith: token, zone: entry.zoneName)
            }
        case "changes/database":
            alter(&answer, list: "zones", tokenKey: "syncToken", askedWith: request["syncToken"]?.string, zone: nil)
        case "records/changes":
            alter(
                &answer, list: "records", tokenKey: "syncToken", askedWith: request["syncToken"]?.string,
                zone: request.zoneName)
        case "zones/changes":
            alter(
                &answer, list: "zones", tokenKey: "metaSyncToken", askedWith: request["metaSyncToken"]?.string,
                zone: nil)
        case "zones/lookup", "zones/list":
            answer.changeList("zones") { entry in
                for part in parts where part.concerns(entry.zoneName) { part.fault.failZone(&entry) }
            }
        case "records/modify": mergeRefusals(into: &answer, of: request)
        case "records/lookup", "records/query":
            for part in parts where part.concerns(request.zoneName) {
                // A look-up goes by no index.
                if case .staleIndex = part.fault, operation == "records/lookup" { continue }
                part.fault.alterRecords(&answer, now: now)
            }
        case "users/caller", "users/current":
            for case .otherUser(let name) in parts.map(\.fault) { answer["userRecordName"] = .string(name) }
        default: break
        }
        return answer.bytes
    }

    /// A piece of an asset's bytes, as the client gets it; of other operations' answers nothing changes.
    package func content(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        altersContent ? bytes.map { ~$0 } : Array(bytes)
    }

    /// Whether an asset's download is not what it should be.
    var altersContent: Bool {
        operation == "assets/download" && parts.contains { $0.fault == .wrongBytes }
    }

    /// One page of a feed.
    private func alter(_ page: inout RawObject, list: String, tokenKey: String, askedWith token: String?, zone: String?)
    {
        let asked = token.map { FaultToken($0) }
        for part in parts where part.concerns(zone) || zone == nil {
            // An entry that is an error already stays one.
            guard page["serverErrorCode"] == nil else { return }
            switch part.fault {
            case .expireTokens:
                if token?.isEmpty == false { page.fail(with: .unknownContinuation, syncToken: nil) }
            case .emptyPage:
                page[list] = .array([])
                page["moreComing"] = .bool(true)
                page[tokenKey] = .string(
                    FaultToken(
                        emptyPages: (asked?.emptyPages ?? 0) + 1, isFromNothing: asked?.isFromNothing ?? true,
                        inner: asked?.inner
                    ).text)
            case .standingToken:
                page["moreComing"] = .bool(true)
                if let token { page[tokenKey] = .string(token) }
            case .childrenFirst: page[list] = .array(page.list(list).reversed().map(\.value))
            case .dropTombstones:
                guard asked?.isFromNothing ?? true else { break }
                page[list] = .array(page.list(list).filter { $0["deleted"]?.bool != true }.map(\.value))
                // Only while the fetch goes on does its next page have to know how it began.
                if page["moreComing"]?.bool == true, let inner = page[tokenKey]?.string {
                    page[tokenKey] = .string(FaultToken(emptyPages: 0, isFromNothing: true, inner: inner).text)
                }
            case .zoneError where operation == "changes/zone": part.fault.failZone(&page)
            case .recordError where list == "records": part.fault.alterRecords(&page, now: now)
            default: break
            }
        }
    }
}

extension AnswerFault {
    fileprivate func limit(_ request: inout RawObject) {
        guard case .pageSize(let size) = self else { return }
        request["resultsLimit"] = .int(min(size, request["resultsLimit"]?.int.map { Int($0) } ?? size))
    }

    fileprivate func failZone(_ entry: inout RawObject) {
        guard case .zoneError(let error, let syncToken) = self else { return }
        entry.fail(with: error, syncToken: syncToken)
    }

    fileprivate func alterRecords(_ answer: inout RawObject, now: Int64) {
        switch self {
        case .recordError(let error, let name):
            answer.changeList("records") { record in
                guard let given = record["recordName"]?.string, name.map({ $0 == given }) ?? true else { return }
                record = RawObject(error.about(record: given).encoded()) ?? record
            }
        case .staleIndex(let lag):
            let seen = answer.list("records").filter { record in
                let created = record["created"].flatMap { RawObject($0.bytes) }?["timestamp"]?.int
                return (created ?? 0) <= now - lag.milliseconds
            }
            answer["records"] = .array(seen.map(\.value))
        default: break
        }
    }
}
