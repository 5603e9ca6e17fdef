import CloudKitWire
import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// How an editor puts a new version where the old one is.
struct EditorSave: Sendable {
    var name: String
    /// Saves a text under a name in a folder, given as paths.
    var save: @Sendable (_ folder: String, _ file: String, _ text: String) async throws -> Void
}

extension Complaints {
    /// The longest pause that an editor makes between taking the old version away and putting the new one there.
    private static let pause = Duration.milliseconds(800)

    private static func write(_ text: String, _ path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw TestFailure("\(path) cannot be written: \(errno)") }
        defer { close(file) }
        // In two pieces, as through a small buffer.
        let bytes = Array(text.utf8)
        for part in [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)] {
            _ = part.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        }
        fsync(file)
    }

    private static func move(_ old: String, _ new: String) throws {
        guard rename(old, new) == 0 else { throw TestFailure("\(old) cannot be renamed: \(errno)") }
    }

    static let editors: [EditorSave] = [
        EditorSave(name: "nano") { folder, file, text in try write(text, "\(folder)/\(file)") },
        EditorSave(name: "vim") { folder, file, text in
            try write("swap", "\(folder)/.\(file).swp")
            try write("", "\(folder)/4913")
            unlink("\(folder)/4913")
            try move("\(folder)/\(file)", "\(folder)/\(file)~")
            try write(text, "\(folder)/\(file)")
            unlink("\(folder)/\(file)~")
            unlink("\(folder)/.\(file).swp")
        },
        EditorSave(name: "gedit") { folder, file, text in
            try write(text, "\(folder)/.goutputstream-A1B2C3")
            try move("\(folder)/.goutputstream-A1B2C3", "\(folder)/\(file)")
        },
        EditorSave(name: "a temporary file of any name") { folder, file, text in
            try write(text, "\(folder)/\(file).tmp")
            try move("\(folder)/\(file).tmp", "\(folder)/\(file)")
        },
        EditorSave(name: "kate") { folder, file, text in
            try write(text, "\(folder)/.\(file).kate-swp")
            unlink("\(folder)/\(file)")
            try write(text, "\(folder)/\(file)")
            unlink("\(folder)/.\(file).kate-swp")
        },
        EditorSave(name: "sed -i") { folder, file, text in
            try write(text, "\(folder)/sedX7a2Qp")
            try move("\(folder)/sedX7a2Qp", "\(folder)/\(file)")
        },
        EditorSave(name: "JetBrains") { folder, file, text in
            try write(text, "\(folder)/\(file)___jb_tmp___")
            try move("\(folder)/\(file)", "\(folder)/\(file)___jb_old___")
            try move("\(folder)/\(file)___jb_tmp___", "\(folder)/\(file)")
            unlink("\(folder)/\(file)___jb_old___")
        },
        EditorSave(name: "one that deletes and thinks") { folder, file, text in
            unlink("\(folder)/\(file)")
            try await Task.sleep(for: pause)  // The editor's own doing; nothing is waited for.
            try write(text, "\(folder)/\(file)")
        },
        EditorSave(name: "one that moves the old away and thinks") { folder, file, text in
            try move("\(folder)/\(file)", "\(folder)/\(file)~")
            try await Task.sleep(for: pause)
            try write(text, "\(folder)/\(file)~new~")
            try move("\(folder)/\(file)~new~", "\(folder)/\(file)")
            unlink("\(folder)/\(file)~")
        },
    ]

    @Test("an editor's save uploaded as a delete; a temp file's save lost")
    func editorsSaves() async throws {
        let world = try await ObservedWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        func text(_ number: Int) -> String { #"{"version": \#(number), "text": "\#(number) times"}"# }
        func place(_ editor: Int) -> String { "Note/by-\(editor).json" }
        for editor in Self.editors.indices { try laptop.write(text(0), to: place(editor)) }
        let daemons = try [laptop.run(), desk.run()]
        for (folder, daemon) in zip([laptop, desk], daemons) { try await folder.untilDaemonAnswers(daemon) }
        #expect(try await laptop.settledVerdict() == "in-sync")
        let born = try world.records().living.mapValues(\.created)
        #expect(born.count == Self.editors.count)

        // Editors that took longer than a deletion waits have really deleted the file.
        var slow: Set<Int> = []
        for number in 1...3 {
            try await withThrowingTaskGroup(of: (Int, Duration).self) { group in
                for (index, editor) in Self.editors.enumerated() {
                    group.addTask {
                        let start = ContinuousClock.now
                        try await editor.save(laptop.path + "/Note", "by-\(index).json", text(number))
                        return (index, ContinuousClock.now - start)
                    }
                }
                for try await (index, time) in group where time > .milliseconds(1500) { slow.insert(index) }
            }
            // Of the versions, this is one that has to come through; the daemon may find the others too late.
            #expect(try await laptop.settledVerdict() == "in-sync")
            for index in Self.editors.indices {
                let isThere = try await eventually { desk.read(place(index)) == text(number) }
                #expect(isThere, "\(Self.editors[index].name): \(desk.read(place(index)) ?? "absent")")
            }
        }
        let living = try world.records().living
        for (index, editor) in Self.editors.enumerated() where !slow.contains(index) {
            let name = "Note/by-\(index)"
            #expect(living[name]?.fields["version"]?.value == .int64(3), "\(editor.name)")
            #expect(living[name]?.created == born[name] ?? nil, "\(editor.name): deleted and made anew")
        }
        #expect(Set(living.keys) == Set(born.keys))
        #expect(try Set(laptop.files().keys) == Set(desk.files().keys))
        withExtendedLifetime(daemons) {}
    }
}
