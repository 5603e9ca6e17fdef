/// How a document is laid out, for items that have no neighbour to copy.
struct JSONLayoutStyle {
    /// From a key to its value.
    let colon: ArraySlice<UInt8>
    /// The line ending, or `nil` where the document keeps to one line.
    private let newline: ArraySlice<UInt8>?
    /// What one more level of nesting adds at the beginning of a line.
    private let indentation: ArraySlice<UInt8>
    private let bytes: [UInt8]

    /// Reads the style off the root's first item; a document without one has the plain style.
    init(of document: JSONDocument) {
        bytes = document.bytes
        let root = document.root
        let member = root.members.first { _ in true }
        let start = member?.keyRange.lowerBound ?? root.elements.first { _ in true }?.range.lowerBound
        colon =
            member.map { document.bytes[$0.keyRange.upperBound..<$0.value.range.lowerBound] } ?? Array(": ".utf8)[...]
        guard let start else {
            (newline, indentation) = ([UInt8(ascii: "\n")], [UInt8(ascii: " "), UInt8(ascii: " ")])
            return
        }
        let lead = Self.oneLine(document.bytes[root.range.lowerBound + 1..<start])
        let ending = lead.prefix { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        newline = ending.isEmpty ? nil : ending
        indentation = ending.isEmpty ? [] : lead[ending.endIndex...]
    }

    var spacesAfterColon: Bool { colon.last == UInt8(ascii: " ") }

    /// White space from its last line break on, so that a blank line is not copied with the line.
    static func oneLine(_ space: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let last = space.lastIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            return space
        }
        let isPair =
            space[last] == UInt8(ascii: "\n") && last > space.startIndex && space[last - 1] == UInt8(ascii: "\r")
        return space[(isPair ? last - 1 : last)...]
    }

    /// The white space before the first item of a container that has none yet.
    func lead(inEmpty container: TapeEntry) -> ArraySlice<UInt8> {
        guard let newline else { return [] }
        return newline + lineIndentation(of: container) + indentation
    }

    /// The white space after the last item of a container that has none yet.
    func trail(inEmpty container: TapeEntry) -> ArraySlice<UInt8> {
        guard let newline else { return [] }
        return newline + lineIndentation(of: container)
    }

    /// The white space that the line begins with in which a container opens.
    private func lineIndentation(of container: TapeEntry) -> ArraySlice<UInt8> {
        let before = bytes[..<Int(container.start)]
        let start = before.lastIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { $0 + 1 } ?? 0
        return before[start...].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}
