import Foundation
import SystemPackage

/// Something that a person does to one file, with a text that nobody wrote before.
struct PathEdit: Sendable {
    var name: String
    /// Whether it gets in the way of others more often than most.
    var isDelicate = false
    /// Does it to `a` in a directory; a file that is not there any more is left alone.
    var act: @Sendable (_ device: EngineDevice, _ place: Place, _ token: String) throws -> Void

    /// A directory of its own, in which one file is edited.
    struct Place: Sendable {
        var directory: String
        /// `.json` for a structured record, `.txt` for a file record.
        var suffix: String

        func path(_ name: String) -> String { "\(directory)/\(name)\(suffix)" }

        /// A text with some fields, of which a file record has all in one line.
        func text(_ fields: KeyValuePairs<String, String>) -> String {
            let pairs = fields.map { "\"\($0.key)\": \"\($0.value)\"" }.joined(separator: ", ")
            return suffix == ".json" ? "{\(pairs)}" : pairs + "\n"
        }
    }

    static let start: KeyValuePairs = ["a": "0", "b": "0"]

    static let all: [PathEdit] = [
        PathEdit(name: "nothing") { _, _, _ in },
        PathEdit(name: "edit", isDelicate: true) { device, place, token in
            try device.write(place.text(["a": token, "b": "0"]), to: place.path("a"))
        },
        PathEdit(name: "edit of another field") { device, place, token in
            try device.write(place.text(["a": "0", "b": token]), to: place.path("a"))
        },
        PathEdit(name: "delete", isDelicate: true) { device, place, _ in try device.delete(place.path("a")) },
        PathEdit(name: "rename", isDelicate: true) { device, place, _ in
            try device.move(place.path("a"), to: place.path("z"))
        },
        PathEdit(name: "rename to a place of its own, and edit") { device, place, token in
            try device.move(place.path("a"), to: place.path(token))
            try device.write(place.text(["a": token, "b": "0"]), to: place.path(token))
        },
        PathEdit(name: "replace by a folder") { device, place, token in
            try device.delete(place.path("a"))
            try device.write(token, to: place.path("a") + "/inner.txt")
        },
        PathEdit(name: "delete, and make another one there", isDelicate: true) { device, place, token in
            try device.delete(place.path("a"))
            try device.write(place.text(["c": token]), to: place.path("a"))
        },
        PathEdit(name: "make one where a rename goes", isDelicate: true) { device, place, token in
            try device.write(place.text(["n": token]), to: place.path("z"))
        },
        PathEdit(name: "make a file where a folder goes, and move this into it", isDelicate: true) {
            device, place, token in
            try device.move(place.path("a"), to: place.path("a").dropLast(place.suffix.count) + "/a" + place.suffix)
            try device.write(token, to: place.path("a") + ".more")
        },
    ]
}
