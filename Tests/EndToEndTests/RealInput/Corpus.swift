import Foundation
import LosslessJSON

/// Documents that other people wrote: the unpacked Debian packages that `packaging/real-input` fetches.
struct Corpus: Sendable {
    /// One file of the corpus.
    struct Document: Sendable {
        /// The package, then the path in it.
        let name: String
        let bytes: [UInt8]

        var isJSON: Bool { name.hasSuffix(".json") }
    }

    /// JSON, in the order of their names.
    let documents: [Document]
    /// Everything else: icons, pictures, sounds, compressed and compiled files.
    let binaries: [Document]

    /// Where it is; one directory for each package.
    static let place = ProcessInfo.processInfo.environment["ZONEFOLDER_CORPUS"].flatMap { $0.isEmpty ? nil : $0 }

    /// A person may go without; CI may not, and fails in ``init(at:)`` then.
    static let isExpected = place != nil || ProcessInfo.processInfo.environment["CI"] != nil

    /// Of larger ones fewer are taken, so that a run stays short.
    private static let largeSize = 60_000

    init(at place: String?) throws {
        guard let place else {
            throw TestFailure("ZONEFOLDER_CORPUS is not set; run packaging/real-input, which fetches the documents.")
        }
        var (documents, large, binaries): ([String], [String], [String]) = ([], [], [])
        for name in (FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String } ?? []).sorted() {
            guard !Self.packageSources.contains(where: { name.hasPrefix($0 + "/") }) else { continue }
            let attributes = try FileManager.default.attributesOfItem(atPath: place + "/" + name)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            if !name.hasSuffix(".json") {
                binaries.append(name)
            } else if attributes[.size] as? Int ?? 0 > Self.largeSize {
                large.append(name)
            } else {
                documents.append(name)
            }
        }
        // Lists of whole countries and the like, for ``entries(of:)``.
        let lists = documents.filter { $0.contains("/iso_") }
        documents.removeAll { $0.contains("/iso_") }
        func read(_ name: String) throws -> Document {
            Document(name: name, bytes: Array(try Data(contentsOf: URL(filePath: place + "/" + name))))
        }
        self.documents = try (lists + Self.spread(documents, count: 1_100) + Self.spread(large, count: 12)).map(read)
        self.binaries = try Self.spread(binaries, count: 160).map(read)
    }

    /// Packages that are there for their ``packageFiles(at:)`` alone.
    private static let packageSources = ["jest", "node-lodash-packages"]

    /// The `package.json` files of all npm packages of the corpus.
    static func packageFiles(at place: String?) throws -> [Document] {
        guard let place else {
            throw TestFailure("ZONEFOLDER_CORPUS is not set; run packaging/real-input, which fetches the documents.")
        }
        let names = FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String } ?? []
        return try names.sorted().compactMap { name in
            guard name.hasSuffix("/package.json"),
                try FileManager.default.attributesOfItem(atPath: place + "/" + name)[.type] as? FileAttributeType
                    == .typeRegular
            else { return nil }
            return Document(name: name, bytes: Array(try Data(contentsOf: URL(filePath: place + "/" + name))))
        }
    }

    /// The objects of the list that a document such as `iso_3166-1.json` holds, each as it is written there.
    func entries(of name: String) throws -> [[UInt8]] {
        guard let document = documents.first(where: { $0.name.hasSuffix("/" + name) }) else {
            throw TestFailure("the corpus has no \(name)")
        }
        guard let list = Array(try JSONDocument(parsing: document.bytes).root.members).first?.value else { return [] }
        return list.elements.map { Array($0.text) }
    }

    /// So many of them, from every region of the list alike.
    private static func spread(_ documents: [String], count: Int) -> [String] {
        guard documents.count > count else { return documents }
        return (0..<count).map { documents[$0 * documents.count / count] }
    }
}
