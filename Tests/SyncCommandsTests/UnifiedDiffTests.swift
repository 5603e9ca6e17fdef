import Testing

@testable import SyncCommands

@Suite("A unified diff")
struct UnifiedDiffTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var old: String
        var new: String
        var lines: [String]

        var testDescription: String { name }
    }

    @Test(
        "It shows what goes with - and what comes with +, as diff -u does",
        arguments: [
            Row(name: "equal", old: "a\nb\n", new: "a\nb\n", lines: []),
            Row(name: "both empty", old: "", new: "", lines: []),
            Row(name: "from nothing", old: "", new: "a\n", lines: ["@@ -0,0 +1 @@", "+a"]),
            Row(name: "to nothing", old: "a\nb\n", new: "", lines: ["@@ -1,2 +0,0 @@", "-a", "-b"]),
            Row(
                name: "a line in the middle", old: "1\n2\n3\n4\n5\n6\n7\n8\n9\n", new: "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
                lines: ["@@ -2,7 +2,7 @@", " 2", " 3", " 4", "-5", "+x", " 6", " 7", " 8"]),
            Row(
                name: "far apart", old: "1\n2\n3\n4\n5\n6\n7\n8\n9\n", new: "x\n2\n3\n4\n5\n6\n7\n8\ny\n",
                lines: [
                    "@@ -1,4 +1,4 @@", "-1", "+x", " 2", " 3", " 4", "@@ -6,4 +6,4 @@", " 6", " 7", " 8", "-9", "+y",
                ]),
            Row(
                name: "no newline at the end", old: "a\nb", new: "a\nb\n",
                lines: ["@@ -1,2 +1,2 @@", " a", "-b", #"\ No newline at end of file"#, "+b"]),
            Row(name: "line ends of DOS", old: "a\r\n", new: "a\n", lines: ["@@ -1 +1 @@", "-a\r", "+a"]),
        ])
    func lines(_ row: Row) {
        #expect(UnifiedDiff(from: Array(row.old.utf8), to: Array(row.new.utf8))?.lines == row.lines)
    }

    @Test("Of what is no text there is none")
    func binary() {
        #expect(UnifiedDiff(from: [0x89, 0x50], to: [0x41]) == nil)
        #expect(UnifiedDiff(from: [0x41], to: [0x41, 0]) == nil)
    }
}
