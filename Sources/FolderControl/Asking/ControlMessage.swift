import FolderSettings
import FoundationEssentials
import SyncModel

// The control protocol: what a command asks of a running daemon, over the Unix socket of a folder.
//
// A connection carries requests and answers in turn, each one line of JSON that ends in a newline. A request is an
// object with a `request`, of at most 4 MiB:
//
//     {"request":"status"}                                    → {"status":{…}}
//     {"request":"status","of_path":true}                     → {"status":{…}}, whose `isCurrent` says what it does not know
//     {"request":"settle"} or with "timeout_milliseconds":n   → {"status":{…}}, once settled or after so long
//     {"request":"plan"} or with "as_known":true              → {"plan":[{…},…],"is_current":true}
//     {"request":"approve","batch":"…"}                       → {"approved":true} or false
//     {"request":"pause"} or with "for_milliseconds":n        → {"paused":{"sinceMilliseconds":…,"isAtRest":true}}
//     {"request":"resume"}                                    → {"resumed":true}, or false where nothing was paused
//     {"request":"reject","batch":"…"}                        → {"rejected":true} or false
//     {"request":"fetch-again","paths":["…",…]}               → {"fetching":["…",…]}, those of them that come
//     {"request":"account","api_token":"…","web_auth_token":"…","user":"_…"}
//                                                             → {"account_changed":true}; without a token: signed out
//     {"request":"call","call":{"database":"private","operation":"records/query","body":"{…}"}}
//                                                             → {"called":"{…}"}, the body of the server's 200
//     {"request":"left"}                                      → {"left":true}: the account took itself out of the zone's share
//     {"request":"reload"}                                    → {"reloading":true}, then the end of the stream; soon after it
//                                                               answers by the configuration as it is then
//     {"request":"stop"}                                      → {"stopping":true}, then the end of the stream
//
// or {"error":"…"}, a sentence for people, to what is none of these. The objects are those of `status --json` and
// `plan --json`. Both ends are of one version but for the moment of an upgrade: what one side does not know is refused.

/// What a command asks of a daemon.
enum ControlRequest: Hashable, Sendable {
    case status(isOfPath: Bool)
    case settle(timeoutMilliseconds: Int64?)
    case plan(asKnown: Bool)
    case approve(batch: String)
    case pause(milliseconds: Int64?)
    case resume
    case reject(batch: String)
    case fetchAgain([FolderPath])
    case account(AccountChange)
    case call(DatabaseCall)
    case left
    case reload
    case stop

    /// In bytes, without the newline: the largest request of the protocol as a JSON string.
    static let longestLine = 4 << 20
}

/// What a daemon answers.
enum ControlAnswer: Hashable, Sendable {
    case status(StatusReport)
    case plan(PlanReport)
    case approved(Bool)
    case paused(PauseOutcome)
    case resumed(Bool)
    case rejected(Bool)
    case fetching([FolderPath])
    case accountChanged
    case called(String)
    case left
    case reloading
    case stopping
    case error(String)

    /// In bytes: some 100,000 planned steps with long paths.
    static let longestLine = 256 << 20
}

extension ControlRequest: Codable {
    private enum Key: String, CodingKey {
        case request, batch, user, call, paths
        case apiToken = "api_token"
        case webAuthToken = "web_auth_token"
        case timeout = "timeout_milliseconds"
        case length = "for_milliseconds"
        case isOfPath = "of_path"
        case asKnown = "as_known"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        switch try values.decode(String.self, forKey: .request) {
        case "status": self = .status(isOfPath: try values.decodeIfPresent(Bool.self, forKey: .isOfPath) ?? false)
        case "settle": self = .settle(timeoutMilliseconds: try values.decodeIfPresent(Int64.self, forKey: .timeout))
        case "plan": self = .plan(asKnown: try values.decodeIfPresent(Bool.self, forKey: .asKnown) ?? false)
        case "approve": self = .approve(batch: try values.decode(String.self, forKey: .batch))
        case "pause": self = .pause(milliseconds: try values.decodeIfPresent(Int64.self, forKey: .length))
        case "resume": self = .resume
        case "reject": self = .reject(batch: try values.decode(String.self, forKey: .batch))
        case "fetch-again": self = .fetchAgain(try values.decodePaths(forKey: .paths))
        case "account":
            self = .account(
                AccountChange(
                    Credentials(
                        apiToken: try values.decode(String.self, forKey: .apiToken),
                        webAuthToken: try values.decodeIfPresent(String.self, forKey: .webAuthToken)),
                    of: try values.decodeIfPresent(String.self, forKey: .user)))
        case "call": self = .call(try values.decode(DatabaseCall.self, forKey: .call))
        case "left": self = .left
        case "reload": self = .reload
        case "stop": self = .stop
        case let other:
            throw DecodingError.dataCorruptedError(
                forKey: .request, in: values, debugDescription: "This daemon knows no request '\(other)'.")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .status(let isOfPath):
            try values.encode("status", forKey: .request)
            if isOfPath { try values.encode(true, forKey: .isOfPath) }
        case .settle(let timeout):
            try values.encode("settle", forKey: .request)
            try values.encodeIfPresent(timeout, forKey: .timeout)
        case .plan(let asKnown):
            try values.encode("plan", forKey: .request)
            if asKnown { try values.encode(true, forKey: .asKnown) }
        case .approve(let batch):
            try values.encode("approve", forKey: .request)
            try values.encode(batch, forKey: .batch)
        case .pause(let milliseconds):
            try values.encode("pause", forKey: .request)
            try values.encodeIfPresent(milliseconds, forKey: .length)
        case .resume: try values.encode("resume", forKey: .request)
        case .reject(let batch):
            try values.encode("reject", forKey: .request)
            try values.encode(batch, forKey: .batch)
        case .fetchAgain(let paths):
            try values.encode("fetch-again", forKey: .request)
            try values.encode(paths.map(\.description), forKey: .paths)
        case .account(let change):
            try values.encode("account", forKey: .request)
            try values.encode(change.credentials.apiToken, forKey: .apiToken)
            try values.encodeIfPresent(change.credentials.webAuthToken, forKey: .webAuthToken)
            try values.encodeIfPresent(change.userRecordName, forKey: .user)
        case .call(let call):
            try values.encode("call", forKey: .request)
            try values.encode(call, forKey: .call)
        case .left: try values.encode("left", forKey: .request)
        case .reload: try values.encode("reload", forKey: .request)
        case .stop: try values.encode("stop", forKey: .request)
        }
    }
}

extension ControlAnswer: Codable {
    private enum Key: String, CodingKey {
        case status, plan, approved, paused, resumed, rejected, fetching, called, left, reloading, stopping, error
        case accountChanged = "account_changed"
        case isCurrent = "is_current"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        if let report = try values.decodeIfPresent(StatusReport.self, forKey: .status) {
            self = .status(report)
        } else if let steps = try values.decodeIfPresent([PlannedStep].self, forKey: .plan) {
            let isCurrent = try values.decodeIfPresent(Bool.self, forKey: .isCurrent) ?? true
            self = .plan(PlanReport(steps: steps, isCurrent: isCurrent))
        } else if let approved = try values.decodeIfPresent(Bool.self, forKey: .approved) {
            self = .approved(approved)
        } else if let outcome = try values.decodeIfPresent(PauseOutcome.self, forKey: .paused) {
            self = .paused(outcome)
        } else if let wasPaused = try values.decodeIfPresent(Bool.self, forKey: .resumed) {
            self = .resumed(wasPaused)
        } else if let rejected = try values.decodeIfPresent(Bool.self, forKey: .rejected) {
            self = .rejected(rejected)
        } else if values.contains(.fetching) {
            self = .fetching(try values.decodePaths(forKey: .fetching))
        } else if try values.decodeIfPresent(Bool.self, forKey: .accountChanged) == true {
            self = .accountChanged
        } else if let body = try values.decodeIfPresent(String.self, forKey: .called) {
            self = .called(body)
        } else if try values.decodeIfPresent(Bool.self, forKey: .left) == true {
            self = .left
        } else if try values.decodeIfPresent(Bool.self, forKey: .reloading) == true {
            self = .reloading
        } else if try values.decodeIfPresent(Bool.self, forKey: .stopping) == true {
            self = .stopping
        } else {
            self = .error(try values.decode(String.self, forKey: .error))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .status(let report): try values.encode(report, forKey: .status)
        case .plan(let report):
            try values.encode(report.steps, forKey: .plan)
            try values.encode(report.isCurrent, forKey: .isCurrent)
        case .approved(let approved): try values.encode(approved, forKey: .approved)
        case .paused(let outcome): try values.encode(outcome, forKey: .paused)
        case .resumed(let wasPaused): try values.encode(wasPaused, forKey: .resumed)
        case .rejected(let rejected): try values.encode(rejected, forKey: .rejected)
        case .fetching(let paths): try values.encode(paths.map(\.description), forKey: .fetching)
        case .accountChanged: try values.encode(true, forKey: .accountChanged)
        case .called(let body): try values.encode(body, forKey: .called)
        case .left: try values.encode(true, forKey: .left)
        case .reloading: try values.encode(true, forKey: .reloading)
        case .stopping: try values.encode(true, forKey: .stopping)
        case .error(let message): try values.encode(message, forKey: .error)
        }
    }
}

extension KeyedDecodingContainer {
    /// Paths as they are shown.
    fileprivate func decodePaths(forKey key: Key) throws -> [FolderPath] {
        try decode([String].self, forKey: key).map { text in
            guard let path = FolderPath(shown: text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: self, debugDescription: "'\(text)' is no path of a folder.")
            }
            return path
        }
    }
}

/// Messages as lines.
enum ControlCoding {
    static func line(_ message: some Encodable) throws -> [UInt8] {
        Array(try JSONEncoder().encode(message)) + [UInt8(ascii: "\n")]
    }

    static func message<Message: Decodable>(_ type: Message.Type, in line: [UInt8]) throws -> Message {
        try JSONDecoder().decode(type, from: Data(line))
    }
}
