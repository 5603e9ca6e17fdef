import Foundation
import Testing

@Suite("Hostile names", .timeLimit(.minutes(30)))
struct HostileNameTests {
    /// Names that the protocol allows: ASCII that prints, at most 255 characters, not beginning with `_`.
    static let allowed = [
        "../../etc/passwd", "a//b", ".", "..", ".zonefolder/x", ".zonefolder", ".ZoneFolder/y", "CON", "NUL",
        "con.json",
        String(repeating: "x", count: 255), String(repeating: "d/", count: 127), "%2e%2e", "%2E%2E", "%00", "nul%00x",
        "%",
        "%zz", "%41", "Case", "case", "CASE", "trail.", "trail ", "trail. .", " lead", "a", "a/b", "/abs", "./x", "x/",
        "x/.", "x/../y", ".zonefolderignore", ".zonefolderignore/x", "~", "a~", "a~0123456789abcdef", "Names/inner",
        "Names/", "Names/..", "a\\b", "a:b", "a*?<>|\"'", ".git/config", "-rf", "dir", "dir/x", "dir/x/y", "a.json",
        "b~1a2b3c", "$(rm)", "`x`", ".hidden",
    ]

    /// Names that the protocol has no room for; a server must not let them in.
    static let refused = [
        "a\u{1}b", "line\nbreak", "tab\tx", "\u{7F}", "caf\u{E9}", "cafe\u{301}", "nul\u{0}x", "_under",
        String(repeating: "x", count: 256),
    ]

    @Test("A record of any name is a safe file, alike on two devices, and an edit comes back to it (invariant 18)")
    func recordNames() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        try await laptop.sync()
        let client = try await WebClient(world)
        func operation(_ name: String, title: String) -> String {
            #"{"operationType":"create","record":{"recordType":"Names","recordName":\#(WebValue.text(name)),"#
                + #""fields":{"title":{"value":\#(WebValue.text(title)),"type":"STRING"}}}}"#
        }
        for result in try await client.modify(Self.refused.map { operation($0, title: "refused") }) {
            #expect(result["serverErrorCode"] == .string(Array("BAD_REQUEST".utf8)), "\(result)")
        }
        let results = try await client.modify(Self.allowed.enumerated().map { operation($1, title: "title \($0).") })
        for (name, result) in zip(Self.allowed, results) { #expect(result["serverErrorCode"] == .null, "\(name)") }
        let outside = try Self.outside(world)

        try await laptop.sync()
        try await desk.sync()
        let files = try desk.fileBytes()
        #expect(try laptop.fileBytes() == files)
        #expect(files.count == Self.allowed.count)
        for (path, bytes) in files {
            #expect(Self.isSafe(path) && path.starts(with: "Names/".utf8), "\(String(decoding: path, as: UTF8.self))")
            let text = String(decoding: bytes, as: UTF8.self)
            try desk.write(Array(text.replacing("title ", with: "edited ").utf8), at: path)
        }
        try await desk.sync()
        try await laptop.sync()
        let records = try await client.records()
        #expect(Set(records.keys) == Set(Self.allowed.map { Array($0.utf8) }))
        for (index, name) in Self.allowed.enumerated() {
            #expect(records[Array(name.utf8)]?["fields"]["title"]["value"].string == "edited \(index).", "\(name)")
        }
        #expect(try laptop.fileBytes() == desk.fileBytes())
        #expect(try laptop.fileBytes().keys == files.keys)
        #expect(try Self.outside(world) == outside)
    }

    /// What another client may write into the `path` field of a file record: any text.
    static let paths =
        allowed + [
            "a\u{1}b", "line\nbreak", "tab\tx", "caf\u{E9}.txt", "cafe\u{301}.txt", "nul\u{0}x", "\u{202E}gpj.exe",
            "\u{FEFF}x",
            String(repeating: "y", count: 300), String(repeating: "q/", count: 3000) + "x", "", "_under",
            ".zonefolder/config.toml", ".zonefolder/credentials",
        ]

    @Test("A file record may claim any path: it lies at a safe one, alike on two devices (invariant 18)")
    func filePaths() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        try await laptop.sync()
        let client = try await WebClient(world)
        var operations: [String] = []
        for (index, path) in Self.paths.enumerated() {
            // An ignore file with such a rule leaves nothing out.
            let asset = try await client.upload(Data("content \(index).".utf8), to: "content", of: "f\(index)", "File")
            operations.append(
                #"{"operationType":"create","record":{"recordType":"File","recordName":"f\#(index)","fields":{"#
                    + #""path":{"value":\#(WebValue.text(path)),"type":"STRING"},"content":{"value":\#(asset),"#
                    + #""type":"ASSETID"}}}}"#)
        }
        for result in try await client.modify(operations) { #expect(result["serverErrorCode"] == .null, "\(result)") }
        let outside = try Self.outside(world)

        try await laptop.sync()
        try await desk.sync()
        let files = try desk.fileBytes()
        #expect(try laptop.fileBytes() == files)
        // Backups of editors are left out; see `IgnoreRules`.
        let ignored = Self.paths.indices.filter { ["~", "a~"].contains(Self.paths[$0]) }
        #expect(files.count == Self.paths.count - ignored.count)
        for (path, bytes) in files {
            #expect(Self.isSafe(path), "\(String(decoding: path, as: UTF8.self))")
            try desk.write(Array("edited ".utf8) + bytes, at: path)
        }
        try await desk.sync()
        try await laptop.sync()
        #expect(try laptop.fileBytes() == desk.fileBytes())
        let records = try await client.records()
        #expect(records.count == Self.paths.count)
        for index in Self.paths.indices where !ignored.contains(index) {
            let fields = records[Array("f\(index)".utf8)]?["fields"] ?? .null
            #expect(fields["path"]["value"] == .string(Array(Self.paths[index].utf8)), "\(Self.paths[index])")
            let content = try await client.download(fields["content"])
            #expect(content == Data("edited content \(index).".utf8), "\(Self.paths[index])")
        }
        #expect(try Self.outside(world) == outside)
    }

    /// A path whose names can be resolved nowhere but beneath the root, and not in the state directory.
    private static func isSafe(_ path: [UInt8]) -> Bool {
        path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { name in
            let text = String(decoding: name, as: UTF8.self).lowercased()
            return !name.isEmpty && name.count <= 255 && text != "." && text != ".." && !name.contains(0)
                && (!text.hasPrefix(".zonefolder") || text == ".zonefolderignore"
                    || text.hasPrefix(".zonefolderignore~"))
        }
    }

    /// All that lies beside the folders, and what a name could reach in the state directories.
    private static func outside(_ world: RealWorld) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: world.place.path) { found[name] = Data() }
        for folder in ["laptop", "desk"] {
            for name in ["config.toml", "x", "y"] {
                let file = world.place.appending(path: "\(folder)/.zonefolder/\(name)")
                found["\(folder)/\(name)"] = FileManager.default.contents(atPath: file.path)
            }
        }
        return found
    }
}
