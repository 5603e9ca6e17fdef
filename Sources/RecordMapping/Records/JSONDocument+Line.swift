package import LosslessJSON

extension JSONDocument {
    /// The line, from 1, where a key of the top level stands.
    package func line(of key: String?) -> Int? {
        guard let key, let member = root.members.first(where: { $0.key.utf8.elementsEqual(key.utf8) }) else {
            return nil
        }
        return bytes[..<member.keyRange.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
    }
}
