import CloudKitWire
import LosslessJSON
import Testing
import WireCoding

/// The messages of the protocol's description, with what they mean in types: each is decoded and encoded back.
struct Fixture: CustomTestStringConvertible, Sendable {
    let name: String
    let check: @Sendable () throws -> Void

    var testDescription: String { name }

    /// - Parameter written: What encoding gives, where that is not the message itself without its white space.
    init<Message: WireValue & Hashable>(
        _ name: String, _ source: String, _ expected: Message, written: String? = nil
    ) {
        self.name = name
        check = {
            let decoded = try Message.decode(Array(source.utf8))
            #expect(decoded == expected)
            let encoded = String(decoding: expected.encoded(), as: UTF8.self)
            #expect(encoded == (try written ?? compact(source)))
            #expect(try Message.decode(Array(encoded.utf8)) == expected)
        }
    }
}

/// The same JSON without white space.
func compact(_ source: String) throws -> String {
    func write(_ node: JSONNode, to json: inout JSONWriter) {
        switch node.kind {
        case .object:
            json.beginObject()
            for member in node.members {
                json.key(member.key)
                write(member.value, to: &json)
            }
            json.endObject()
        case .array:
            json.beginArray()
            for element in node.elements { write(element, to: &json) }
            json.endArray()
        default: json.raw(node.text)
        }
    }
    var json = JSONWriter()
    write(try JSONDocument(parsing: Array(source.utf8)).root, to: &json)
    return String(decoding: json.bytes, as: UTF8.self)
}

func decode<Message: WireValue>(_ source: String, as type: Message.Type = Message.self) throws -> Message {
    try Message.decode(Array(source.utf8))
}

func text(_ message: some WireValue, numbersAsStrings: Bool = false) -> String {
    String(decoding: message.encoded(numbersAsStrings: numbersAsStrings), as: UTF8.self)
}
