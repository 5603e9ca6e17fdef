import SystemPackage

/// The files of the demo: a note as the introduction to CloudKit has it, with a picture; another note; two plain files.
enum DemoFiles {
    static let note = "Note/groceries.json"
    static let picture = "holiday/sunset.png"
    static let names = [note, "Note/lake.json", "Note/lake.png", picture, "read me.txt"]

    static func write(to folder: FilePath) throws {
        for name in ["Note", "holiday"] { try NewFolder.make(folder.appending(name)) }
        try PlainFiles.write(Array(groceries.utf8), to: folder.appending(relative: note))
        try PlainFiles.write(Array(lake.utf8), to: folder.appending(relative: "Note/lake.json"))
        try PlainFiles.write(
            TinyPicture.png(red: 40, green: 110, blue: 180), to: folder.appending(relative: "Note/lake.png"))
        try PlainFiles.write(
            TinyPicture.png(red: 230, green: 120, blue: 40), to: folder.appending(relative: picture))
        try PlainFiles.write(
            Array(
                "Any file can be here. JSON in a folder named like a record type becomes a record with fields.\n".utf8),
            to: folder.appending(relative: "read me.txt"))
    }

    /// Changes one value of the first note, as an editor does that saves by rename; gives the new text.
    static func edit(in folder: FilePath) throws -> [UInt8] {
        let text = Array(groceries.replacingFirst("apples, tea", with: "apples, tea, and a lemon").utf8)
        try PlainFiles.replace(folder.appending(relative: note), with: text)
        return text
    }

    private static let groceries = """
        {
          "noteTitle": "Groceries",
          "noteText": "apples, tea",
          "noteEditedDate": {"$date": "2026-03-01T08:30:00.000Z"},
          "urgent": true
        }

        """

    private static let lake = """
        {
          "noteTitle": "The lake",
          "noteText": "Early in the morning, before the boats.",
          "noteEditedDate": {"$date": "2026-03-02T06:15:00.000Z"},
          "noteImage": {"$asset": "lake.png"}
        }

        """
}

extension String {
    /// The text with the first occurrence of some ASCII words replaced.
    fileprivate func replacingFirst(_ words: String, with others: String) -> String {
        guard let range = firstRange(of: words) else { return self }
        return replacingCharacters(in: range, with: others)
    }

    private func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
