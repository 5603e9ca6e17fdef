import LosslessJSON
import SeededRandomness
import Testing

@Suite("Damage")
struct FuzzTests {
    @Test("No damaged document crashes the parser, and what it reads it reads whole", arguments: 0..<UInt64(100))
    func mutations(seed: UInt64) throws {
        var maker = DocumentMaker(random: SeededGenerator(seed: seed))
        let source = bytes(maker.document())
        for _ in 0..<20 {
            var damaged = source
            for _ in 0..<Int.random(in: 1...3, using: &maker.random) {
                let at = Int.random(in: 0..<max(damaged.count, 1), using: &maker.random)
                switch Int.random(in: 0..<5, using: &maker.random) {
                case 0 where !damaged.isEmpty: damaged[at] = UInt8.random(in: 0...255, using: &maker.random)
                case 1 where !damaged.isEmpty: damaged.remove(at: at)
                case 2:
                    damaged.insert(
                        bytes("{}[]\",:\\u0e-.\n").randomElement(using: &maker.random)!, at: min(at, damaged.count))
                case 3: damaged.removeSubrange(min(at, damaged.count)...)
                default: damaged += damaged[..<min(at, damaged.count)]
                }
            }
            do {
                let document = try JSONDocument(parsing: damaged)
                var json = JSONWriter()
                Model(document.root).write(to: &json)
                #expect(Model(try JSONDocument(parsing: json.bytes).root) == Model(document.root))
            } catch {
                #expect((0...damaged.count).contains(error.offset))
                #expect(error.line >= 1 && error.column >= 1)
            }
        }
    }

    @Test("Every beginning of a document is refused")
    func truncation() throws {
        let source = bytes(#"{"a\u00e9": [1.5e+3, "é\ud83d\ude00", true, null, {"b": {}}]}"#)
        #expect(try JSONDocument(parsing: source).root.count == 1)
        for end in source.indices {
            #expect(throws: JSONError.self) { try JSONDocument(parsing: Array(source[..<end])) }
        }
    }

    @Test("A document of ten megabytes is read to its end")
    func large() throws {
        var source = "["
        for number in 0..<100_000 {
            source +=
                "{\"recordName\":\"Note/\(number)\",\"fields\":{\"title\":{\"value\":\"Line é \\n \(number)\",\"type\":\"STRING\"}}},"
        }
        source += "0]"
        let document = try parse(source)
        #expect(document.root.count == 100_001)
        var sum: Int64 = 0
        for element in document.root.elements where element.kind == .object {
            sum += Int64(element["fields"]?["title"]?["value"]?.string?.utf8.count ?? 0)
        }
        #expect(sum == 1_488_890)
    }
}
