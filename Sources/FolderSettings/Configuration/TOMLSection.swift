import TOMLKit

/// One table of a TOML file whose keys are taken out one by one, each checked; what is left over was no key of ours.
struct TOMLSection {
    private let table: TOMLTable
    private let name: String
    private let lines: [String: Int]
    private var left: Set<String>

    /// The whole file.
    init(text: String) throws(StateError) {
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw .notATable(error.description, line: error.source.begin.line)
        } catch {
            throw .notATable("\(error)", line: 1)
        }
        name = ""
        lines = Self.lines(of: text)
        left = Set(table.keys)
    }

    private init(_ table: TOMLTable, name: String, lines: [String: Int]) {
        self.table = table
        self.name = name
        self.lines = lines
        left = Set(table.keys)
    }

    var keys: [String] { table.keys }

    func error(_ key: String, _ reason: String) -> StateError {
        .configuration(name + key, reason, line: lines[name + key])
    }

    mutating func string(_ key: String) throws(StateError) -> String? {
        guard let value = take(key) else { return nil }
        guard let string = value.string else { throw error(key, "must be a text in quotes.") }
        return string
    }

    mutating func strings(_ key: String) throws(StateError) -> [String]? {
        guard let value = take(key) else { return nil }
        guard let array = value.array else { throw error(key, "must be a list of texts: [\"one\", \"two\"].") }
        var strings: [String] = []
        for element in array {
            guard let string = element.string else { throw error(key, "must have nothing but texts in it.") }
            strings.append(string)
        }
        return strings
    }

    mutating func integer(_ key: String, in range: ClosedRange<Int>) throws(StateError) -> Int? {
        guard let value = take(key) else { return nil }
        guard let integer = value.int, range.contains(integer) else {
            throw error(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return integer
    }

    mutating func bool(_ key: String) throws(StateError) -> Bool? {
        guard let value = take(key) else { return nil }
        guard let bool = value.bool else { throw error(key, "must be true or false.") }
        return bool
    }

    /// One of some words.
    mutating func word<Word: RawRepresentable & CaseIterable>(
        _ key: String, _ type: Word.Type, where isAllowed: (Word) -> Bool = { _ in true }
    ) throws(StateError) -> Word? where Word.RawValue == String {
        guard let text = try string(key) else { return nil }
        guard let word = Word(rawValue: text), isAllowed(word) else {
            let words = Word.allCases.filter(isAllowed).map { "\"\($0.rawValue)\"" }
            throw error(key, "must be \(words.joined(separator: " or ")), not \"\(text)\".")
        }
        return word
    }

    mutating func section(_ key: String) throws(StateError) -> TOMLSection? {
        guard let value = take(key) else { return nil }
        guard let table = value.table else { throw error(key, "must be a table: [\(name)\(key)].") }
        return TOMLSection(table, name: "\(name)\(key).", lines: lines)
    }

    /// Passes over a key that `init` of an earlier version wrote and that never had an effect.
    mutating func discard(_ key: String) {
        left.remove(key)
    }

    /// Refuses what was not taken: a misspelt key must not pass for a default.
    func finish(known: [String]) throws(StateError) {
        guard let key = left.min() else { return }
        let place = name.isEmpty ? "at the top level" : "in [\(name.dropLast())]"
        let meant = NearestWord.to(key, among: known).map { "Did you mean '\($0)'? " } ?? ""
        let all = known.joined(separator: ", ")
        throw error(key, "is no setting. \(meant)\(place.capitalizedFirst) there are: \(all).")
    }

    private mutating func take(_ key: String) -> (any TOMLValueConvertible)? {
        left.remove(key)
        return table[key]
    }

    /// The line of each key, by its full name: good for the plain spelling `key = value` below a `[table]`, which is
    /// all that messages need it for.
    private static func lines(of text: String) -> [String: Int] {
        var lines: [String: Int] = [:]
        var table = ""
        var number = 0
        // Swift takes the two characters that end a line of Windows for one.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            number += 1
            let line = line.drop { $0 == " " || $0 == "\t" }
            if line.first == "[", let end = line.firstIndex(of: "]") {
                let name = line[line.index(after: line.startIndex)..<end].filter { $0 != "\"" && $0 != " " }
                table = name + "."
                lines[String(name), default: number] = number
            } else if line.first != "#", let equals = line.firstIndex(of: "=") {
                let key = line[..<equals].filter { $0 != "\"" && $0 != " " && $0 != "\t" }
                lines[table + key] = number
            }
        }
        return lines
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
