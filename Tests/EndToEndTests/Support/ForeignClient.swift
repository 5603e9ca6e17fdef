import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// An app of the same account that knows nothing of folders: it speaks CloudKit Web Services in the protocol's words.
actor ForeignClient {
    private let url: String
    private let apiToken: String
    private var webAuthToken: String

    init(_ world: RealWorld, user: String = "ada") async throws {
        let account = try await world.addUser(user)
        url = world.url
        apiToken = account.apiToken
        webAuthToken = account.webAuthToken
    }

    /// Posts to an operation of a database, such as `records/modify`, and gives the answer's bytes.
    @discardableResult
    func post(_ operation: String, _ body: String, database: String = "private") async throws -> Data {
        let allowed = CharacterSet.alphanumerics
        let token = webAuthToken.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        var request = HTTPClientRequest(
            url: "\(url)/database/1/\(RealWorld.container)/development/\(database)/\(operation)"
                + "?ckAPIToken=\(apiToken)&ckWebAuthToken=\(token)")
        request.method = .POST
        request.body = .bytes(ByteBuffer(string: body))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        let answer = try await response.body.collect(upTo: 64 << 20)
        let data = Data(answer.readableBytesView)
        if let next = response.headers.first(name: "X-Apple-CloudKit-Web-Auth-Token") { webAuthToken = next }
        guard response.status == .ok else {
            throw TestFailure("\(operation): \(response.status) \(String(decoding: data, as: UTF8.self))")
        }
        return data
    }

    /// The change tag of a record, or `nil` where the zone has none of that name.
    func changeTag(of name: String) async throws -> String? {
        let answer = try await post(
            "records/lookup", #"{"zoneID": {"zoneName": "Notes"}, "records": [{"recordName": "\#(name)"}]}"#)
        let json = try JSONSerialization.jsonObject(with: answer) as? [String: Any]
        let record = (json?["records"] as? [[String: Any]])?.first
        return record?["recordChangeTag"] as? String
    }

    /// Sets fields, given as JSON, of a record that is there.
    func update(_ name: String, type: String, fields: String) async throws {
        let tag = try await changeTag(of: name)
        let answer = try await post(
            "records/modify",
            """
            {"zoneID": {"zoneName": "Notes"}, "operations": [{"operationType": "update", "record": {
                "recordName": "\(name)", "recordType": "\(type)", "recordChangeTag": "\(tag ?? "")",
                "fields": \(fields)}}]}
            """)
        let text = String(decoding: answer, as: UTF8.self)
        guard !text.contains("serverErrorCode") else { throw TestFailure(text) }
    }
}
