import LosslessJSON
import SeededRandomness

/// Random values, changes of them, and random spellings: few keys and few leaves, so that changes meet.
struct ValueTape {
    var random: SeededGenerator
    private var fresh = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    private mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    private static let keys: [Value.Text] = ["a", "b", "c", "\u{E9}", "e\u{301}", "a b", ""]
    private static let latitude = "latitude" as Value.Text
    private static let longitude = "longitude" as Value.Text

    /// A document: an object with some of the keys.
    mutating func document() -> Value { object(depth: 0) }

    private mutating func object(depth: Int) -> Value {
        var members: [Value.Text: Value] = [:]
        for key in Self.keys where !chance(3) { members[key] = value(depth: depth + 1) }
        if chance(3) {
            members[Self.latitude] = coordinate()
            members[Self.longitude] = coordinate()
        }
        return .object(members)
    }

    mutating func value(depth: Int) -> Value {
        switch Int.random(in: 0..<(depth > 2 ? 7 : 10), using: &random) {
        case 0: return pick([.null, .bool(true), .bool(false)])
        case 1, 2: return .int(Int64.random(in: 0...9, using: &random))
        case 3: return .double(pick(["0.5", "1.5", "2.0", "1e+22"]))
        case 4: return .text(pick(["x", "y", "\u{E9}", "e\u{301}", ""]))
        case 5: return .text(Value.Text(lines((0..<Int.random(in: 2...6, using: &random)).map { _ in line() })))
        case 6: return .list(scalars())
        case 7: return .list([.list([]), value(depth: depth + 1)])
        case 8:
            return pick([
                .object(["$date": .text(pick(["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]))]),
                .object(["$ref": .text(pick(["A/a.json", "A/b.json"]))]),
                .object(["$ref": .text("A/a.json"), "action": .text("DELETE_SELF")]),
            ])
        default: return object(depth: depth)
        }
    }

    private mutating func coordinate() -> Value { .double(pick(["1.5", "2.5", "3.5"])) }

    private mutating func scalars() -> [Value] {
        let all: [Value] = [.text("p"), .text("q"), .text("r"), .int(1), .int(2), .double("1.5"), .null, .bool(true)]
        return Array(all.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random)))
    }

    /// A line that no text had before, so that there is one way only to tell which lines stayed.
    private mutating func line() -> String {
        fresh += 1
        return "line \(fresh)"
    }

    private mutating func lines(_ lines: [String]) -> String {
        lines.joined(separator: "\n") + (chance(3) ? "" : "\n")
    }

    // MARK: Changes

    /// A value after a few edits by a person.
    mutating func edited(_ value: Value, depth: Int = 0) -> Value {
        switch value {
        case .object(var members) where !value.isExplicitForm && (depth == 0 || !chance(5)):
            for _ in 0..<Int.random(in: depth == 0 ? 0...4 : 1...2, using: &random) {
                let isPlace = members[Self.latitude] != nil && chance(3)
                let key = isPlace ? pick([Self.latitude, Self.longitude]) : pick(Self.keys)
                if let old = members[key] {
                    members[key] = chance(4) ? nil : edited(old, depth: depth + 1)
                } else if !isPlace {
                    members[key] = self.value(depth: depth + 1)
                }
                if isPlace, chance(6) { members[Self.latitude] = nil }
                if isPlace, chance(4) { members[Self.longitude] = nil }
            }
            return .object(members)
        case .text(let text) where text.bytes.contains(10) && !chance(6):
            return .text(Value.Text(editedLines(text.string)))
        case .list(let list) where list.allSatisfy(\.isScalar) && !chance(6): return .list(editedList(list))
        case .int(let int) where !chance(4): return .int(int + Int64.random(in: -3...5, using: &random))
        default: return self.value(depth: depth)
        }
    }

    private mutating func editedLines(_ text: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let at = Int.random(in: 0..<max(1, lines.count - 1), using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: lines.insert(line(), at: at)
            case 1 where lines.count > 2: lines.remove(at: at)
            default: lines[at] = line()
            }
        }
        return lines.joined(separator: "\n")
    }

    private mutating func editedList(_ list: [Value]) -> [Value] {
        var list = list
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let new = pick([Value.text("p"), .text("q"), .text("s"), .text("t"), .int(1), .int(7), .null])
            switch Int.random(in: 0..<8, using: &random) {
            case 0...3 where !list.contains(new): list.insert(new, at: Int.random(in: 0...list.count, using: &random))
            case 4...5 where !list.isEmpty: list.remove(at: Int.random(in: 0..<list.count, using: &random))
            case 6: list.shuffle(using: &random)
            case 7: list.append(contentsOf: list.prefix(1))
            default: break
            }
        }
        return list
    }

    // MARK: Spelling

    /// A document's bytes, in one of the layouts that people and programs give it.
    mutating func spelled(_ value: Value) -> [UInt8] { Array(text(value).utf8) }

    private mutating func text(_ value: Value) -> String {
        switch value {
        case .object(let members):
            let space = pick(["", " ", "\n  "])
            let parts = members.sorted { $0.key < $1.key }.shuffled(using: &random).map { key, value in
                "\(space)\(Value.text(key)):\(space)\(text(value))"
            }
            return "{" + parts.joined(separator: ",") + space + "}"
        case .list(let list):
            return "[" + list.map { text($0) }.joined(separator: pick([",", ", "])) + "]"
        case .double(let text): return chance(3) && !text.contains("e") ? text + "0" : text
        default: return value.description
        }
    }
}
