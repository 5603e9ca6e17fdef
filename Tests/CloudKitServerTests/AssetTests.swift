import AsyncHTTPClient
import CloudKitWire
import Crypto
import NIOCore
import NIOHTTP1
import SystemPackage
import Testing

@testable import CloudKitServer

@Suite("Assets (protocol §3.10, §10.5)")
struct AssetTests {
    /// Asks for one upload URL.
    private func uploadURL(
        _ server: TestServer, _ record: String = "File/a", field: String = "content"
    ) async throws -> String {
        let reply = try await server.post(
            "assets/upload",
            #"{"zoneID":{"zoneName":"Folder"},"tokens":[{"recordType":"File","recordName":"\#(record)","fieldName":"\#(field)"}]}"#
        )
        return try #require(reply["tokens"][0]["url"].string)
    }

    private func save(_ server: TestServer, _ asset: TestJSON, _ record: String = "File/a") async throws -> TestJSON {
        try await server.modify(
            #"{"operationType":"forceUpdate","record":{"recordType":"File","recordName":"\#(record)","fields":{"content":{"value":\#(asset.text!),"type":"ASSETID"}}}}"#
        )["records"][0]
    }

    private func content(_ count: Int, seed: UInt8 = 1) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ Int(seed)) }
    }

    @Test("Up, into a record, and down again", arguments: [0, 1, 70_000, 3_000_000])
    func roundTrip(size: Int) async throws {
        try await withServer { server in
            try await server.makeZone()
            let bytes = content(size)
            let url = try await uploadURL(server)
            #expect(url.hasPrefix("http://127.0.0.1:\(server.port)/"))
            let uploaded = try await server.sendRaw("POST", url, bytes, contentType: "application/octet-stream")
            let file = uploaded["singleFile"]
            #expect(uploaded.status == 200 && file["size"].int == Int64(size))
            let checksum = try #require(file["fileChecksum"].string)
            #expect(checksum.utf8.count == 28)
            #expect(try #require(AssetChecksum(checksum)).isOf(sha256: SHA256.hash(data: bytes)))
            #expect(file["receipt"].string != nil && file["wrappingKey"].string != nil)

            let saved = try await save(server, file)
            let value = try await server.changes()["records"][0]["fields"]["content"]
            #expect(value["type"].string == "ASSETID" && saved["fields"]["content"]["type"].string == "ASSETID")
            #expect(value["value"]["receipt"].isAbsent && saved["fields"]["content"]["value"]["receipt"].isAbsent)
            #expect(value["value"]["fileChecksum"].string == file["fileChecksum"].string)
            let link = try #require(value["value"]["downloadURL"].string)
            #expect(link.contains("${f}"))
            let down = try await server.sendRaw("GET", link.replacing("${f}", with: "any%20name.bin"), nil)
            #expect(down.status == 200 && down.body == bytes)
            #expect(down.header("Content-Length") == "\(size)")
        }
    }

    @Test("A receipt whose token named no record is good for a record without a name in the same zone and field")
    func unnamed() async throws {
        try await withServer { server in
            try await server.makeZone()
            try await server.makeZone("Other")
            let bytes = content(10)
            func receipt(_ name: String = "") async throws -> String {
                let reply = try await server.post(
                    "assets/upload",
                    #"{"zoneID":{"zoneName":"Folder"},"tokens":[{"recordType":"File",\#(name)"fieldName":"content"}]}"#)
                let url = try #require(reply["tokens"][0]["url"].string)
                return try await server.sendRaw("POST", url, bytes)["singleFile"].text!
            }
            func create(
                _ asset: String, _ name: String = "", field: String = "content", zone: String = "Folder"
            ) async throws -> TestJSON {
                try await server.modify(
                    #"{"operationType":"create","record":{"recordType":"File",\#(name)"fields":{"\#(field)":{"value":\#(asset),"type":"ASSETID"}}}}"#,
                    zone: zone)["records"][0]
            }
            let saved = try await create(try await receipt())
            #expect(saved["fields"]["content"]["value"]["size"].int == 10, "\(saved.text ?? "")")
            // Neither another field nor another zone, and no record that has a name of its own.
            for refused in [
                try await create(try await receipt(), field: "other"),
                try await create(try await receipt(), zone: "Other"),
                try await create(try await receipt(), #""recordName":"mine","#),
                try await create(try await receipt(#""recordName":"theirs","#)),
            ] {
                #expect(refused["serverErrorCode"].string == "BAD_REQUEST", "\(refused.text ?? "")")
            }
        }
    }

    @Test("A form of one part is as good as the raw bytes", arguments: [0, 10, 5_000_000])
    func form(size: Int) async throws {
        try await withServer { server in
            try await server.makeZone()
            let bytes = content(size) + Array("\r\n--other\r\n".utf8)
            let raw = try await server.sendRaw("POST", uploadURL(server), bytes)
            let head =
                "--b0\r\nContent-Disposition: form-data; name=\"files\"; filename=\"x\"\r\nContent-Type: image/png\r\n\r\n"
            let form = try await server.sendRaw(
                "POST", uploadURL(server), Array(head.utf8) + bytes + Array("\r\n--b0--\r\n".utf8),
                contentType: "multipart/form-data; boundary=b0")
            #expect(form.status == 200)
            #expect(form["singleFile"]["fileChecksum"].string == raw["singleFile"]["fileChecksum"].string)
            let broken = try await server.sendRaw(
                "POST", uploadURL(server), Array(head.utf8) + bytes, contentType: "multipart/form-data; boundary=b0")
            #expect(broken.status == 400)
        }
    }

    @Test("A form is read alike in whatever pieces it comes", arguments: 1...9)
    func formPieces(size: Int) throws {
        let body = Array("--b\r\nA: b\r\n\r\nline\r\n--c\r\n-\r\n--b--\r\n".utf8)
        var reader = try #require(MultipartReader(contentType: "multipart/form-data; boundary=\"b\""))
        var content: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: size) {
            let part = reader.read(body[start..<min(start + size, body.count)])
            content += try #require(part)
        }
        #expect(String(decoding: content, as: UTF8.self) == "line\r\n--c\r\n-")
        #expect(reader.isComplete)
    }

    @Test("Too large an asset gets a plain 413, whether its length is said beforehand or not")
    func tooLarge() async throws {
        try await withServer {
            $0.largestAsset = 1000
        } _: { server in
            try await server.makeZone()
            let url = try await uploadURL(server)
            #expect(try await server.sendRaw("POST", url, content(1000)).status == 200)
            let refused = try await server.sendRaw("POST", url, content(1001))
            #expect(refused.status == 413 && refused.json.isAbsent)
            var request = HTTPClientRequest(url: url)
            request.method = .POST
            request.body = .stream(OnePiece(buffer: ByteBuffer(bytes: content(1001))), length: .unknown)
            #expect(try await HTTPClient.shared.execute(request, timeout: .seconds(120)).status.code == 413)
        }
    }

    @Test("Upload URLs end after 15 minutes, download links after some hours, altered ones never began")
    func expiry() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            try await server.makeZone()
            let url = try await uploadURL(server)
            let saved = try await save(server, server.sendRaw("POST", url, content(10))["singleFile"])
            let link = saved["fields"]["content"]["value"]["downloadURL"].string!.replacing("${f}", with: "f")
            #expect(try await server.sendRaw("GET", link, nil).status == 200)
            #expect(try await server.sendRaw("GET", link + "0", nil).status == 410)
            #expect(try await server.sendRaw("POST", url.replacing("t=", with: "t=A"), content(10)).status == 403)
            clock.advance(seconds: 15 * 60)
            #expect(try await server.sendRaw("POST", url, content(10)).status == 403)
            clock.advance(seconds: 3 * 3600)
            #expect(try await server.sendRaw("GET", link, nil).status == 410)
        }
    }

    @Test("A receipt is good for its record and field, its zone and an hour; without one there is no asset")
    func receipts() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            try await server.makeZone()
            let file = try await server.sendRaw("POST", uploadURL(server), content(10))["singleFile"]
            #expect(try await save(server, file, "File/other")["serverErrorCode"].string == "BAD_REQUEST")
            let saved = try await save(server, file)
            #expect(saved["serverErrorCode"].isAbsent)
            let answered = saved["fields"]["content"]["value"]
            #expect(try await save(server, answered)["serverErrorCode"].string == "BAD_REQUEST")
            clock.advance(seconds: 3600)
            #expect(try await save(server, file)["serverErrorCode"].string == "BAD_REQUEST")

            // To keep the asset, the field is not mentioned.
            let kept = try await server.modify(
                #"{"operationType":"update","record":{"recordName":"File/a","recordChangeTag":"\#(saved["recordChangeTag"].string!)","fields":{"size":{"value":10}}}}"#
            )
            #expect(kept["records"][0]["fields"]["content"]["value"]["downloadURL"].string != nil)
        }
    }

    @Test("Stored bytes are given to another record without sending them again")
    func rereference() async throws {
        try await withServer { server in
            try await server.makeZone()
            let file = try await server.sendRaw("POST", uploadURL(server), content(10))["singleFile"]
            _ = try await save(server, file)
            let reply = try await server.post(
                "assets/rereference",
                #"{"zoneID":{"zoneName":"Folder"},"assets":[{"recordName":"File/a","fieldName":"content"},{"recordName":"File/a","fieldName":"none"}]}"#
            )
            #expect(reply.status == 200 && reply["assets"].count == 2)
            #expect(reply["assets"][1]["serverErrorCode"].string == "NOT_FOUND")
            #expect(reply["assets"][0]["fileChecksum"].string == file["fileChecksum"].string)
            let copied = try await save(server, reply["assets"][0], "File/b")
            #expect(copied["fields"]["content"]["value"]["fileChecksum"].string == file["fileChecksum"].string)
        }
    }

    @Test("Equal content is stored once; what no record names is removed at a start, after an hour")
    func collection() async throws {
        try await withTemporaryDirectory { directory in
            let files = directory.appending("assets")
            let link = try await withServer(in: directory) { server in
                try await server.makeZone()
                for record in ["File/a", "File/b"] {
                    _ = try await save(
                        server, server.sendRaw("POST", uploadURL(server, record), content(10))["singleFile"], record)
                }
                _ = try await server.sendRaw("POST", uploadURL(server), content(10, seed: 2))
                #expect(try regularFiles(below: files) == 2)
                return try await server.changes()["records"][0]["fields"]["content"]["value"]["downloadURL"].string!
            }
            try await withServer(in: directory) { _ in }
            #expect(try regularFiles(below: files) == 2)
            let later = ManualClock()
            later.advance(seconds: 10 * 365 * 86_400)
            try await withServer(in: directory, clock: later) { _ in }
            #expect(try regularFiles(below: files) == 1)
            try await withServer(in: directory) { server in
                let path = try #require(link.replacing("${f}", with: "f").firstMatch(of: /\/assets\/.*/)).output
                #expect(try await server.sendRaw("GET", String(path), nil).body == content(10))
            }
            #expect(try regularFiles(below: directory.appending("uploads")) == 0)
        }
    }

    @Test("A hundred uploads at once, some of equal content, all arrive")
    func parallel() async throws {
        try await withServer { server in
            try await server.makeZone()
            let tokens = (0..<100).map { #"{"recordType":"File","recordName":"f\#($0)","fieldName":"content"}"# }
            let urls = try await server.post(
                "assets/upload", #"{"zoneID":{"zoneName":"Folder"},"tokens":[\#(tokens.joined(separator: ","))]}"#)
            let files = try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for index in 0..<100 {
                    let url = urls["tokens"][index]["url"].string!
                    group.addTask {
                        let bytes = content(1000 * (index % 50), seed: UInt8(index % 50))
                        return (index, try await server.sendRaw("POST", url, bytes)["singleFile"].text!)
                    }
                }
                return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
            }
            let operations = files.map {
                #"{"operationType":"create","record":{"recordType":"File","recordName":"f\#($0)","fields":{"content":{"value":\#($1),"type":"ASSETID"}}}}"#
            }
            let saved = try await server.modify(operations.joined(separator: ","), atomic: "")
            #expect(saved["records"].items.allSatisfy { $0["serverErrorCode"].isAbsent })
            for record in try await server.changes()["records"].items {
                let index = Int(record["recordName"].string!.dropFirst())!
                let link = record["fields"]["content"]["value"]["downloadURL"].string!
                let down = try await server.sendRaw("GET", link.replacing("${f}", with: "f"), nil)
                #expect(down.body == content(1000 * (index % 50), seed: UInt8(index % 50)))
            }
        }
    }

    @Test("200 tokens are the limit, and a record name is made where none is given")
    func tokens() async throws {
        try await withServer { server in
            try await server.makeZone()
            func ask(_ count: Int) async throws -> TestServer.Reply {
                let tokens = Array(repeating: #"{"recordType":"File","fieldName":"content"}"#, count: count)
                return try await server.post(
                    "assets/upload", #"{"zoneID":{"zoneName":"Folder"},"tokens":[\#(tokens.joined(separator: ","))]}"#)
            }
            let all = try await ask(200)
            #expect(Set(all["tokens"].items.compactMap { $0["recordName"].string }).count == 200)
            #expect(all["tokens"][0]["fieldName"].string == "content")
            #expect(try await ask(201).status == 400)
        }
    }
}
