import SystemPackage

/// Reads a secret that should not stand among the arguments, where every user of the machine can read it.
enum SecretSource {
    /// The longest secret that is read, in bytes.
    private static let longest = 64 << 10

    /// The first line of a file, or of standard input for `-`, without white space around it.
    static func read(_ place: String) throws -> String {
        let isInput = place == "-"
        let bytes = isInput ? try readAll(.standardInput) : try readFile(FilePath(place))
        let name = isInput ? "Standard input" : place
        guard let line = String(validating: bytes, as: UTF8.self)?.split(whereSeparator: \.isNewline).first else {
            throw CommandFailure.noSecret(in: name)
        }
        let secret = String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        guard !secret.isEmpty else { throw CommandFailure.noSecret(in: name) }
        return secret
    }

    private static func readFile(_ path: FilePath) throws -> [UInt8] {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
            return try file.closeAfter { try readAll(file) }
        } catch let error as Errno {
            throw CommandFailure.system(error, "read", path)
        }
    }

    private static func readAll(_ file: FileDescriptor) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < longest {
            let piece = try [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
                count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            guard !piece.isEmpty else { break }
            bytes += piece
        }
        return bytes
    }
}
