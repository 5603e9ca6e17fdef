import CloudKitWire
import LosslessJSON
import WireCoding

extension FaultRule {
    /// Reads `{match?, fault: {kind, …}, after?, times?}`, refusing every key that it does not know: a rule whose
    /// limit is misspelt would do harm without end.
    init(json: JSONNode) throws(WireError) {
        let reader = try FaultReader(json, "the rule", ["match", "fault", "after", "times"])
        var match = Match()
        if let node = reader["match"] {
            let given = try FaultReader(node, "match", ["operation", "container", "user", "zone"])
            match = Match(
                operation: try given.string("operation"), container: try given.string("container"),
                user: try given.string("user"), zone: try given.string("zone"))
        }
        guard let node = reader["fault"] else { throw WireError("the rule needs a 'fault'") }
        self.init(
            try Fault(json: node, zone: match.zone), on: match, after: try reader.count("after") ?? 0,
            times: try reader.count("times"))
        source = Array(json.text)
    }
}

extension Fault {
    /// Every kind, with the keys that it takes besides `kind`.
    static let kinds: [String: Set<String>] = [
        "answer": ["status", "contentType", "body", "headers"],
        "refuse": ["code", "status", "reason", "retryAfter", "retryAfterHeader", "redirectURL"],
        "account": ["state"],
        "cut": ["when"],
        "delay": ["seconds"], "slowBody": ["seconds"],
        "endZone": ["how"],
        "expireTokens": [],
        "zoneError": ["code", "reason", "retryAfter", "syncToken"],
        "recordError": ["code", "reason", "retryAfter", "recordName"],
        "emptyPage": [], "standingToken": [], "childrenFirst": [], "dropTombstones": [],
        "pageSize": ["records"],
        "otherUser": ["userRecordName"],
        "staleIndex": ["seconds"],
        "wrongBytes": [],
    ]

    init(json: JSONNode, zone: String?) throws(WireError) {
        guard let kind = json["kind"]?.string, let keys = Self.kinds[kind] else {
            throw WireError("'kind' must be one of \(Self.kinds.keys.sorted().joined(separator: ", "))")
        }
        let given = try FaultReader(json, "a fault of kind \(kind)", keys.union(["kind"]))
        switch kind {
        case "answer":
            self = .answer(
                status: try given.status(), contentType: try given.string("contentType") ?? "text/html",
                body: Array((try given.string("body") ?? "").utf8), headers: try given.strings("headers"))
        case "refuse":
            let error = try given.error()
            self = .refuse(
                error, status: given["status"] == nil ? error.serverErrorCode.httpStatus : try given.status(),
                retryAfterHeader: try given.string("retryAfterHeader"))
        case "account": self = .account(try given.name("state"))
        case "cut":
            switch try given.name("when", CutMoment.self) {
            case .beforeCommit: self = .cutBeforeCommit
            case .afterCommit: self = .cutAfterCommit
            case .inBody: self = .cutInBody
            }
        case "delay": self = .delay(try given.seconds())
        case "slowBody": self = .slowBody(over: try given.seconds())
        case "endZone":
            let end: ZoneEnd = try given.name("how")
            guard end == .purge || zone != nil else { throw WireError("name the zone to end in 'match'") }
            self = .endZones(end, zone: zone)
        default: self = .alter(try AnswerFault(kind: kind, given), zone: zone)
        }
    }

    private enum CutMoment: String, CaseIterable {
        case beforeCommit, afterCommit, inBody
    }
}

/// What the account is like, as requests show it (protocol §7.5).
enum AccountFault: String, CaseIterable {
    case signedOut, refused, restricted, temporarilyUnavailable, undetermined
}

extension Fault {
    /// What every request is answered with while the account is so.
    static func account(_ state: AccountFault) -> Self {
        switch state {
        case .signedOut:
            // Where to sign in is filled in by the server that answers.
            return .refuse(
                ErrorDictionary(.authenticationRequired, reason: "request needs authorization"), status: 421)
        case .refused:
            return .refuse(ErrorDictionary(.authenticationFailed, reason: "Authentication failed"), status: 401)
        case .restricted:
            return .refuse(ErrorDictionary(.accessDenied, reason: "the account is restricted"), status: 403)
        case .temporarilyUnavailable:
            return .refuse(
                ErrorDictionary(.tryAgainLater, reason: "the account is temporarily unavailable"), status: 503)
        case .undetermined:
            return .answer(
                status: 502, contentType: "text/html", body: Array("<html>Bad Gateway</html>".utf8), headers: [:])
        }
    }
}

extension AnswerFault {
    fileprivate init(kind: String, _ given: FaultReader) throws(WireError) {
        switch kind {
        case "expireTokens": self = .expireTokens
        case "zoneError": self = .zoneError(try given.error(), syncToken: try given.string("syncToken"))
        case "recordError": self = .recordError(try given.error(), recordName: try given.string("recordName"))
        case "emptyPage": self = .emptyPage
        case "standingToken": self = .standingToken
        case "childrenFirst": self = .childrenFirst
        case "dropTombstones": self = .dropTombstones
        case "pageSize":
            guard let records = try given.count("records"), records > 0 else {
                throw WireError("'records' must be at least 1")
            }
            self = .pageSize(records)
        case "otherUser":
            guard let name = try given.string("userRecordName") else { throw WireError("'userRecordName' is missing") }
            self = .otherUser(name)
        case "staleIndex": self = .staleIndex(try given.seconds())
        case "wrongBytes": self = .wrongBytes
        default: throw WireError("'\(kind)' is no kind of fault")
        }
    }
}
