import SyncModel

/// Lists of small values in one TEXT column: a line for each value, tabs between its parts.
///
/// A path is written with every byte outside printable ASCII, and `%`, as `%XX`, so that a line has no stray tab or
/// line break; other parts never hold one (field names and the server's base64), and are escaped alike to be sure.
enum LineList {
    static func text(_ assets: [AssetVersion]) -> String {
        lines(assets) { [escaped($0.field), number($0.index), escaped($0.checksum), String($0.size)] }
    }

    static func text(_ assets: [AgreedAsset]) -> String {
        lines(assets) {
            [
                escaped($0.field), number($0.index), escaped($0.path.bytes), $0.hash.hex, escaped($0.checksum),
                number($0.file?.device), number($0.file?.inode), escaped($0.renewal), number($0.file?.born),
            ]
        }
    }

    static func text(_ attachments: [Attachment]) -> String {
        lines(attachments) { [escaped($0.field), number($0.index), escaped($0.path.bytes)] }
    }

    static func text(_ names: [String]) -> String {
        lines(names) { [escaped($0)] }
    }

    /// The reverse of `text`, or `nil` where a line is none of ours.
    static func assetVersions(_ text: UnsafeRawBufferPointer) -> [AssetVersion]? {
        values(text, parts: 4) { parts in
            guard let index = number(parts[1], as: Int.self), let size = Int64(plain(parts[3])) else { return nil }
            return AssetVersion(
                field: plain(parts[0]), index: index.value, checksum: plain(parts[2]), size: size)
        }
    }

    static func agreedAssets(_ text: UnsafeRawBufferPointer) -> [AgreedAsset]? {
        values(text, parts: 9) { parts in
            guard let index = number(parts[1], as: Int.self), let path = FolderPath(bytes: unescaped(parts[2])),
                let hash = ContentHash(hex: plain(parts[3])), let device = number(parts[5], as: UInt64.self),
                let inode = number(parts[6], as: UInt64.self), let born = number(parts[8], as: Int64.self)
            else { return nil }
            var asset = AgreedAsset(
                field: plain(parts[0]), index: index.value, path: path, hash: hash, checksum: plain(parts[4]),
                renewal: plain(parts[7]))
            if let device = device.value, let inode = inode.value {
                asset.file = FileIdentity(device: device, inode: inode, born: born.value ?? 0)
            }
            return asset
        }
    }

    static func attachments(_ text: UnsafeRawBufferPointer) -> [Attachment]? {
        values(text, parts: 3) { parts in
            guard let index = number(parts[1], as: Int.self), let path = FolderPath(bytes: unescaped(parts[2])) else {
                return nil
            }
            return Attachment(field: plain(parts[0]), index: index.value, path: path)
        }
    }

    static func names(_ text: UnsafeRawBufferPointer) -> [String]? {
        values(text, parts: 1) { plain($0[0]) }
    }

    // MARK: Lines

    private static func lines<Value>(_ values: [Value], _ parts: (Value) -> [String]) -> String {
        values.map { parts($0).joined(separator: "\t") }.joined(separator: "\n")
    }

    private static func values<Value>(
        _ text: UnsafeRawBufferPointer, parts count: Int, _ value: ([Slice<UnsafeRawBufferPointer>]) -> Value?
    ) -> [Value]? {
        guard !text.isEmpty else { return [] }
        var values: [Value] = []
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let parts = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            guard parts.count == count, let value = value(parts) else { return nil }
            values.append(value)
        }
        return values
    }

    // MARK: Parts

    private static func number(_ number: (some FixedWidthInteger)?) -> String { number.map { String($0) } ?? "-" }

    private static func number<Number: FixedWidthInteger>(
        _ part: Slice<UnsafeRawBufferPointer>, as type: Number.Type
    ) -> (value: Number?, Void)? {
        if part.elementsEqual([UInt8(ascii: "-")]) { return (nil, ()) }
        return Number(plain(part)).map { ($0, ()) }
    }

    private static func plain(_ part: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: unescaped(part), as: UTF8.self)
    }

    private static func escaped(_ text: String) -> String { escaped(Array(text.utf8)) }

    private static func escaped(_ bytes: [UInt8]) -> String {
        let isPlain = { (byte: UInt8) in (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "%") }
        if bytes.allSatisfy(isPlain) { return String(decoding: bytes, as: UTF8.self) }
        var text: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in bytes {
            text += isPlain(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func unescaped(_ part: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
        guard part.contains(UInt8(ascii: "%")) else { return Array(part) }
        var bytes: [UInt8] = []
        var rest = part
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
