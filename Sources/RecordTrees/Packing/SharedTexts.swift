import SyncModel

/// Folders and words that many entries of a tree have in common, each stored once and named by a number.
///
/// What no entry has any more stays until the tree is packed anew.
public struct SharedTexts: Sendable {
    private var folders: [FolderPath] = []
    private var foldersByPath: [FolderPath: Int] = [:]
    /// The last folder that was asked for.
    private var last: Int?
    private var words: [String] = []
    /// By their bytes, as names are compared: Swift takes two spellings of one text for the same, and here they are not.
    private var wordsByBytes: [RecordName: Int] = [:]

    init() {}

    /// The number of the folder that holds a path, from 0; `nil` where that is the root.
    mutating func number(ofFolderOf path: FolderPath) -> Int? {
        // Most come folder by folder.
        if let last, folders[last].isFolder(of: path) { return last }
        guard let folder = path.parent else { return nil }
        last = foldersByPath[folder]
        if last == nil {
            last = folders.count
            foldersByPath[folder] = last
            folders.append(folder)
        }
        return last
    }

    /// The numbers of the folders of which something holds.
    func folders(where isMeant: (FolderPath) -> Bool) -> Set<Int> {
        Set(folders.indices.filter { isMeant(folders[$0]) })
    }

    /// The number of a word, such as a record type, from 0.
    mutating func number(of word: String) -> Int {
        if let number = wordsByBytes[RecordName(word)] { return number }
        words.append(word)
        wordsByBytes[RecordName(word)] = words.count - 1
        return words.count - 1
    }

    /// Lends a reader for bytes that were written with these texts.
    func lend<Result>(
        for bytes: UnsafeRawBufferPointer, _ body: (inout EntryReader) throws -> Result
    ) rethrows -> Result {
        try folders.withUnsafeBufferPointer { folders in
            try words.withUnsafeBufferPointer { words in
                var reader = EntryReader(bytes, folders: folders, words: words)
                return try body(&reader)
            }
        }
    }
}

extension FolderPath {
    /// Whether a path is in this folder, and not below one of its folders.
    fileprivate func isFolder(of path: FolderPath) -> Bool {
        let count = bytes.count
        guard path.name.startIndex == count + 1 else { return false }
        return bytes.withUnsafeBytes { folder in
            path.bytes.withUnsafeBytes { folder.hasSameBytes(as: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }
}
