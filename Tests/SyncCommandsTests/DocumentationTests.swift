import ArgumentParser
import Foundation
import SyncModel
import Testing

@testable import SyncCommands

@Suite("The README and the guides")
struct DocumentationTests {
    /// A line of a page that a person types.
    struct Line: CustomTestStringConvertible, Sendable {
        var page: String
        var text: String

        var testDescription: String { "\(page): \(text)" }
    }

    @Test("Each command line in them is one that the program takes", arguments: DocumentationTests.lines())
    func taken(line: Line) {
        #expect(throws: Never.self) { try ZonefolderCommand.parseAsRoot(Self.words(line.text)) }
    }

    @Test("There are many of them, on each page but those that need none")
    func many() {
        #expect(Self.lines().count > 60)
        #expect(Set(Self.lines().map(\.page)).count == Self.pages.count)
    }

    @Test("A code that `status` has is explained", arguments: DocumentationTests.codes())
    func explained(code: String) throws {
        let guide = try #require(Self.pages.first { $0.lastPathComponent == "StatusSentences.md" })
        #expect(try String(contentsOf: guide, encoding: .utf8).contains("| `\(code)` |"))
    }

    @Test("A link in the README leads to a page")
    func links() throws {
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let targets = readme.matches(of: /\]\(([^)]+)\)/).map { String($0.output.1) }
        #expect(targets.count > 8)
        for target in targets {
            #expect(FileManager.default.fileExists(atPath: Self.root.appending(path: target).path), "\(target)")
        }
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let pages: [URL] = {
        let guides = root.appending(path: "Sources/SyncCommands/SyncCommands.docc")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: guides.path)) ?? []
        let ofGuides = names.filter { $0.hasSuffix(".md") && $0 != "SyncCommands.md" }.sorted()
        return [root.appending(path: "README.md")] + ofGuides.map { guides.appending(path: $0) }
    }()

    /// An indented line that begins with the program's name.
    private static func lines() -> [Line] {
        pages.flatMap { page in
            let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").filter { $0.hasPrefix("    zonefolder ") }.map {
                Line(page: page.lastPathComponent, text: String($0.dropFirst("    zonefolder ".count)))
            }
        }
    }

    private static func codes() -> [String] {
        let file = root.appending(path: "Sources/SyncModel/Status/Problem.swift")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.matches(of: /Self\(rawValue: "(\w+)"\)/).map { String($0.output.1) }
    }

    /// As a shell takes it apart: a text in quotes is one word.
    private static func words(_ line: String) -> [String] {
        line.matches(of: /'([^']*)'|(\S+)/).map { String($0.output.1 ?? $0.output.2 ?? "") }
    }
}
