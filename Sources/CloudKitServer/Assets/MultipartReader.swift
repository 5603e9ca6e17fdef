/// Takes the content of the first part out of a `multipart/form-data` body, piece by piece.
///
/// Clients send exactly one part, named `files` (protocol §3.10).
struct MultipartReader {
    private enum Stage {
        case header, content, done
    }

    private let firstLine: [UInt8]
    private let delimiter: [UInt8]
    private var stage = Stage.header
    private var pending: [UInt8] = []

    /// Reads the boundary from a `Content-Type`; `nil` where it is none of a form.
    init?(contentType: String) {
        guard contentType.lowercased().hasPrefix("multipart/form-data"),
            let parameter = contentType.split(separator: ";").map({ $0.drop { $0 == " " } }).first(where: {
                $0.lowercased().hasPrefix("boundary=")
            })
        else { return nil }
        let boundary = parameter.dropFirst("boundary=".count).filter { $0 != "\"" }
        guard 1...70 ~= boundary.utf8.count else { return nil }
        firstLine = Array("--\(boundary)".utf8)
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// Whether the part's end was seen: a body that ends without it was cut short.
    var isComplete: Bool { stage == .done }

    /// The part's content in the next bytes of the body.
    /// - Returns: `nil` where the body is no form.
    mutating func read(_ bytes: some Sequence<UInt8>) -> [UInt8]? {
        guard stage != .done else { return [] }
        pending += bytes
        if stage == .header {
            guard pending.starts(with: firstLine.prefix(pending.count)), pending.count <= 65_536 else { return nil }
            guard let end = Self.find(Array("\r\n\r\n".utf8), in: pending) else { return [] }
            pending.removeFirst(end + 4)
            stage = .content
        }
        if let end = Self.find(delimiter, in: pending) {
            stage = .done
            return Array(pending[..<end])
        }
        // What could be the delimiter's beginning stays until more is known.
        let settled = max(0, pending.count - delimiter.count + 1)
        let content = Array(pending[..<settled])
        pending.removeFirst(settled)
        return content
    }

    private static func find(_ pattern: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= pattern.count else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            pattern.withUnsafeBufferPointer { pattern in
                let first = pattern[0]
                var start = 0
                let last = bytes.count - pattern.count
                search: while start <= last {
                    guard bytes[start] == first else {
                        start += 1
                        continue
                    }
                    for offset in 1..<pattern.count where bytes[start + offset] != pattern[offset] {
                        start += 1
                        continue search
                    }
                    return start
                }
                return nil
            }
        }
    }
}
