import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A web client of the protocol that knows nothing of this project: plain requests, written from its documentation.
final class WebClient {
    /// The server's, which can change where it is started again.
    var url: String
    private let container: String
    private let apiToken: String
    /// The newest: every answer may bring another.
    private var webAuthToken: String

    convenience init(_ world: RealWorld) async throws {
        self.init(url: world.url, container: RealWorld.container, account: try await world.addUser())
    }

    init(url: String, container: String, account: RealWorld.Account) {
        self.url = url
        self.container = container
        apiToken = account.apiToken
        webAuthToken = account.webAuthToken
    }

    /// Sends a request to the private database.
    func post(_ operation: String, _ json: String) async throws -> WebValue {
        func encoded(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
        }
        let query = "ckAPIToken=\(encoded(apiToken))&ckWebAuthToken=\(encoded(webAuthToken))"
        let answer = try await send(
            "\(url)/database/1/\(container)/development/private/\(operation)?\(query)", body: Data(json.utf8))
        return try JSONDecoder().decode(WebValue.self, from: answer)
    }

    /// Sends operations on records of the zone, each by itself; gives what became of each.
    func modify(_ operations: [String]) async throws -> [WebValue] {
        let list = operations.joined(separator: ",")
        return try await post(
            "records/modify", #"{"zoneID":{"zoneName":"Notes"},"atomic":false,"operations":[\#(list)]}"#
        )["records"].elements
    }

    func create(_ type: String, _ name: String, fields: String) async throws -> WebValue {
        try await modify([
            #"{"operationType":"create","record":{"recordType":"\#(type)","recordName":\#(WebValue.text(name)),"#
                + #""fields":\#(fields)}}"#
        ])[0]
    }

    /// Changes some fields of a record and leaves the rest.
    func change(_ name: String, fields: String) async throws -> WebValue {
        let record = try await records()[Array(name.utf8)] ?? .null
        return try await modify([
            #"{"operationType":"update","record":{"recordName":\#(WebValue.text(name)),"#
                + #""recordChangeTag":"\#(record["recordChangeTag"].string)","fields":\#(fields)}}"#
        ])[0]
    }

    /// Every record of the zone by the bytes of its name.
    func records() async throws -> [[UInt8]: WebValue] {
        var records: [[UInt8]: WebValue] = [:]
        var token = "null"
        while true {
            let zone = try await post(
                "changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"},"syncToken":\#(token)}]}"#)["zones"].elements
            guard let zone = zone.first else { throw TestFailure("no zone in the answer") }
            for record in zone["records"].elements {
                records[Array(record["recordName"].string.utf8)] = record["deleted"] == .bool(true) ? nil : record
            }
            guard zone["moreComing"] == .bool(true) else { return records }
            token = WebValue.text(zone["syncToken"].string)
        }
    }

    /// Uploads bytes for a field; gives the asset dictionary to put into the record.
    func upload(_ bytes: Data, to field: String, of name: String, _ type: String) async throws -> String {
        let token = #"{"recordType":"\#(type)","recordName":\#(WebValue.text(name)),"fieldName":"\#(field)"}"#
        let answer = try await post("assets/upload", #"{"zoneID":{"zoneName":"Notes"},"tokens":[\#(token)]}"#)
        guard let place = answer["tokens"].elements.first?["url"].string else { throw TestFailure("\(answer)") }
        let receipt = try JSONDecoder().decode(WebValue.self, from: try await send(place, body: bytes))["singleFile"]
        return String(decoding: try JSONEncoder().encode(receipt), as: UTF8.self)
    }

    /// The bytes of an asset.
    func download(_ asset: WebValue) async throws -> Data {
        try await send(asset["value"]["downloadURL"].string.replacing("${f}", with: "file"), body: nil)
    }

    private func send(_ place: String, body: Data?) async throws -> Data {
        guard let url = URL(string: place.replacing("${f}", with: "f")) else { throw TestFailure("no URL: \(place)") }
        var request = URLRequest(url: url)
        request.httpMethod = body == nil ? "GET" : "POST"
        request.httpBody = body
        request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        let (data, response) = try await URLSession.shared.data(for: request)
        if let response = response as? HTTPURLResponse,
            let token = response.value(forHTTPHeaderField: "X-Apple-CloudKit-Web-Auth-Token")
        {
            webAuthToken = token
        }
        return data
    }
}

/// A JSON value of an answer.
enum WebValue: Hashable, Codable {
    case null, bool(Bool), integer(Int64), number(Double), string([UInt8])
    case list([WebValue])
    case object([String: WebValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        self =
            if value.decodeNil() {
                .null
            } else if let bool = try? value.decode(Bool.self) {
                .bool(bool)
            } else if let integer = try? value.decode(Int64.self) {
                .integer(integer)
            } else if let number = try? value.decode(Double.self) {
                .number(number)
            } else if let string = try? value.decode(String.self) {
                .string(Array(string.utf8))
            } else if let list = try? value.decode([WebValue].self) {
                .list(list)
            } else {
                .object(try value.decode([String: WebValue].self))
            }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .integer(let integer): try value.encode(integer)
        case .number(let number): try value.encode(number)
        case .string(let bytes): try value.encode(String(decoding: bytes, as: UTF8.self))
        case .list(let list): try value.encode(list)
        case .object(let members): try value.encode(members)
        }
    }

    /// A member, or null where there is none.
    subscript(key: String) -> WebValue {
        if case .object(let members) = self { members[key] ?? .null } else { .null }
    }

    var elements: [WebValue] { if case .list(let list) = self { list } else { [] } }
    var members: [String: WebValue] { if case .object(let members) = self { members } else { [:] } }
    /// Its text; empty for any other value.
    var string: String { if case .string(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { "" } }

    /// The value without what every answer makes anew.
    var lasting: WebValue {
        switch self {
        case .object(let members):
            .object(members.filter { $0.key != "downloadURL" }.mapValues(\.lasting))
        case .list(let list): .list(list.map(\.lasting))
        default: self
        }
    }

    /// A text as JSON.
    static func text(_ text: String) -> String {
        String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
    }
}
