import CloudKitWire
import LosslessJSON
import WireCoding

/// Rows for people: aligned and cut to fit on a terminal, whole and separated by tabs in a pipe.
struct Table {
    let columns: [String]
    private(set) var rows: [[String]] = []

    /// Characters of a cell on a terminal.
    private static let widest = 40

    init(_ columns: [String]) {
        self.columns = columns
    }

    mutating func add(_ row: [String]) {
        rows.append(row)
    }

    func lines(forTerminal: Bool) -> [String] {
        let all = ([columns] + rows).map { $0.map { Self.oneLine($0, cut: forTerminal) } }
        guard forTerminal else { return all.map { $0.joined(separator: "\t") } }
        let widths = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }

    /// Control characters could move the terminal's cursor, and tabs would begin a new column.
    static func oneLine(_ text: String, cut: Bool = false) -> String {
        let plain = text.unicodeScalars.map { scalar -> String in
            scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
        }.joined()
        return cut && plain.count > widest ? plain.prefix(widest - 1) + "…" : plain
    }
}

extension Table {
    /// Records with a column for each field that one of them has.
    init(_ records: [Record]) {
        let fields = Set(records.flatMap(\.fields.keys)).sorted()
        self.init(["recordName", "recordType", "recordChangeTag"] + fields)
        for record in records {
            add(
                [record.recordName ?? "", record.recordType ?? "", record.recordChangeTag ?? ""]
                    + fields.map { record.fields[$0]?.value?.plainText ?? "" })
        }
    }
}

extension FieldValue {
    /// A string as it is, everything else as the protocol's JSON.
    var plainText: String {
        if case .string(let text) = self { return text }
        var json = JSONWriter()
        writeValue(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension WireValue {
    /// The protocol's JSON over several lines.
    var prettyJSON: String {
        guard let document = try? JSONDocument(parsing: encoded()) else {
            preconditionFailure("What is written is JSON")
        }
        return String(decoding: JSONPretty.value(document.root), as: UTF8.self)
    }
}
