public import SyncModel

/// The file names of assets that came from elsewhere, without a name that a person gave them.
public enum AssetNaming {
    /// How many bytes from an asset's start ``fileExtension(firstBytes:)`` looks at.
    public static let sniffedBytes = 512

    /// Where an asset lies beside its JSON file: `<stem>.<field>.<ext>`, in a list `<stem>.<field>.<index>.<ext>`.
    /// - Parameter firstBytes: At least ``sniffedBytes`` where the asset has so many.
    public static func path(
        beside file: FolderPath, field: String, index: Int?, firstBytes: some Collection<UInt8>
    ) -> FolderPath {
        self.path(
            beside: file, field: field, index: index, fileExtension: Array(fileExtension(firstBytes: firstBytes).utf8))
    }

    /// Where an asset that was named so belongs, now that its JSON file is at this path; `nil` for one with a name of another
    /// kind.
    public static func path(
        of asset: FolderPath, field: String, index: Int?, beside file: FolderPath
    ) -> FolderPath? {
        let parts = FileNameParts(asset.name)
        let infix = Array(infix(field, index).utf8)
        guard parts.fileExtension.count > 1, parts.stem.count > infix.count,
            parts.stem.suffix(infix.count) == infix[...]
        else { return nil }
        return path(beside: file, field: field, index: index, fileExtension: Array(parts.fileExtension.dropFirst()))
    }

    /// The JSON files beside which an asset may be called so, if nobody named it; those of names that had to be cut aside.
    public static func files(naming asset: FolderPath) -> [FolderPath] {
        let parts = FileNameParts(asset.name)
        guard !parts.fileExtension.isEmpty else { return [] }
        var files: [FolderPath] = []
        var stem = FileNameParts(parts.stem)
        // In a list, with an index.
        for _ in 0..<2 where !stem.fileExtension.isEmpty {
            files.append(asset.sibling(name: stem.stem + Array(".json".utf8)))
            stem = FileNameParts(stem.stem)
        }
        return files
    }

    private static func path(
        beside file: FolderPath, field: String, index: Int?, fileExtension: [UInt8]
    ) -> FolderPath {
        let infix = infix(field, index)
        let ending = Array((infix + ".").utf8) + fileExtension
        var parts = FileNameParts(file.name)
        parts.fileExtension = []
        if ending.count > 200 {
            // A field's name may be as long as a file's name may be.
            let short = [UInt8(ascii: "~")] + ShortHash.digits(PathSafety.hashDigits, of: infix.utf8)
            let sniffed = [UInt8(ascii: ".")] + fileExtension
            return file.sibling(name: parts.inserting(ending.prefix(60) + short + sniffed))
        }
        return file.sibling(name: parts.inserting(ending))
    }

    private static func infix(_ field: String, _ index: Int?) -> String {
        "." + field + (index.map { ".\($0)" } ?? "")
    }

    /// The extension that an asset's first bytes call for, without a dot: `bin` where they tell nothing.
    public static func fileExtension(firstBytes: some Collection<UInt8>) -> String {
        let start = Array(firstBytes.prefix(sniffedBytes))
        for (signature, found) in signatures where start.starts(with: signature) { return found }
        if start.count >= 12 {
            let form = start[8..<12]
            if start.starts(with: "RIFF".utf8) {
                if form.elementsEqual("WEBP".utf8) { return "webp" }
                if form.elementsEqual("WAVE".utf8) { return "wav" }
            }
            if start[4..<8].elementsEqual("ftyp".utf8) {
                return isoMedia[String(decoding: form, as: UTF8.self)] ?? "mp4"
            }
        }
        return text(start)
    }

    private static let signatures: [([UInt8], String)] = [
        ([0x89] + Array("PNG\r\n".utf8), "png"), ([0xFF, 0xD8, 0xFF], "jpg"), (Array("GIF8".utf8), "gif"),
        (Array("%PDF-".utf8), "pdf"), ([0x50, 0x4B, 3, 4], "zip"), ([0x50, 0x4B, 5, 6], "zip"),
        (Array("ID3".utf8), "mp3"), ([0xFF, 0xFB], "mp3"), ([0xFF, 0xF3], "mp3"), (Array("OggS".utf8), "ogg"),
        (Array("fLaC".utf8), "flac"), ([0x1F, 0x8B], "gz"), (Array("II*\0".utf8), "tiff"),
        ([0x4D, 0x4D, 0, 0x2A], "tiff"), (Array("SQLite format 3\0".utf8), "sqlite"),
        ([0x1A, 0x45, 0xDF, 0xA3], "mkv"),
        ([0, 0, 1, 0], "ico"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz"),
        (Array("7z\u{BC}\u{AF}".unicodeScalars.map { UInt8($0.value) }), "7z"),
        (Array("{\\rtf".utf8), "rtf"), (Array("wOF2".utf8), "woff2"), ([0x28, 0xB5, 0x2F, 0xFD], "zst"),
    ]

    private static let isoMedia = [
        "heic": "heic", "heix": "heic", "mif1": "heic", "avif": "avif", "qt  ": "mov", "M4A ": "m4a", "M4V ": "m4v",
    ]

    private static func text(_ start: [UInt8]) -> String {
        guard !start.isEmpty else { return "bin" }
        // The sample may end inside a character; that alone makes it no less text.
        var whole = start[...]
        if start.count == sniffedBytes {
            for _ in 0..<3 where String(validating: whole, as: UTF8.self) == nil { whole = whole.dropLast() }
        }
        guard let text = String(validating: whole, as: UTF8.self),
            !whole.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) })
        else { return "bin" }
        let trimmed = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.utf8
        if trimmed.starts(with: "<svg".utf8) { return "svg" }
        if trimmed.starts(with: "<?xml".utf8) { return text.contains("<svg") ? "svg" : "xml" }
        if trimmed.starts(with: "<!DOCTYPE html".utf8) || trimmed.starts(with: "<html".utf8) { return "html" }
        return "txt"
    }
}
