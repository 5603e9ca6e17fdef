import SyncModel
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// Paths whose bytes need be no text.
enum GivenPath {
    /// A path of the command line with the bytes that it has there: as a text, what is no UTF-8 in it was replaced.
    static func bytes(of text: String) -> FilePath {
        guard text.unicodeScalars.contains("\u{FFFD}") else { return FilePath(text) }
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index], String(cString: argument) == text else { continue }
            return FilePath(platformString: argument)
        }
        return FilePath(text)
    }
}

extension FilePath {
    /// A path in this folder.
    func pushing(_ path: FolderPath) -> FilePath {
        (path.bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { bytes in
            pushing(FilePath(platformString: bytes.baseAddress!))
        }
    }
}

extension FolderPath {
    /// Takes a relative path, or gives `nil` where it is not safe beneath the root.
    init?(_ path: FilePath) {
        self.init(bytes: path.withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) })
    }
}
