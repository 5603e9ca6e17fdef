import Foundation

/// A number in a file that a process with the fault injector looks at whenever it needs it.
struct SharedNumber<Number: FixedWidthInteger & Sendable>: Sendable {
    let file: URL

    init(in place: URL, _ number: Number = 0) throws {
        file = place.appending(path: "number-\(UUID().uuidString)")
        try withUnsafeBytes(of: number) { try Data($0).write(to: file) }
    }

    /// Writes into the file, which is mapped: another one in its place would not be seen.
    func set(_ number: Number) throws {
        let handle = try FileHandle(forWritingTo: file)
        try withUnsafeBytes(of: number) { try handle.write(contentsOf: Data($0)) }
        try handle.close()
    }
}
