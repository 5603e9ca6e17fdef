public import SyncModel
import SystemPackage

/// Which names of the folder are left out: built-in rules, then the lines of `.zonefolderignore`, the last match
/// deciding.
///
/// The file stands at the folder's root and has gitignore's syntax (gitignore(5)), compared byte by byte; only a line in the
/// words of a built-in rule about secrets takes no more account of letter case than that rule. The file is synced like any
/// other, whatever its own lines say: a device that had other rules would send what these leave out. Files of that name in
/// directories below have no meaning. Two things no line can take back: names that the program keeps (`ReservedName`), at any
/// depth, and conflict copies.
public struct IgnoreRules: Hashable, Sendable {
    /// The name of the file with a person's own rules.
    public static let fileName = ".zonefolderignore"
    /// The largest file of rules that is read, in bytes.
    public static let largestFile = 1024 * 1024

    /// Lines that are no patterns, from 1: an open bracket or a lone backslash. They match nothing.
    public let invalidLines: [Int]

    private let rules: [IgnoreRule]
    private static let fileNameBytes = Array(fileName.utf8)
    private static let stateDirectory = required("**/\(FolderRoot.stateName)", "zonefolder's own state")
    private static let reserved = required(
        "**/\(FolderRoot.stateName)*", "names that begin with \(FolderRoot.stateName) are zonefolder's own",
        isTold: true)
    /// Only its text: `ConflictCopyName` says what is one.
    private static let conflictCopy = required(
        "*.conflict-<UTC time>-<device>*", "a conflict copy stays on this machine")

    /// Takes the text of `.zonefolderignore`; without one, only the built-in rules hold.
    public init(text: some Collection<UInt8> = []) {
        var rules = BuiltInRules.all
        var invalid: [Int] = []
        var text = Array(text)[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let isOfSecret = BuiltInRules.isOfSecret(line: line)
            switch IgnoreRule.parse(line, number: index + 1, ignoringCase: isOfSecret) {
            case .rule(let rule): rules.append(rule)
            case .invalid: invalid.append(index + 1)
            case .nothing: break
            }
        }
        self.rules = rules
        invalidLines = invalid
    }

    /// The lines of a person, one after another: what ``init(text:)`` takes.
    public var text: String { rules.filter { $0.line != nil }.map { "\($0.text)\n" }.joined() }

    /// Whether these leave out all that other ones do, since they have every line of them in their order, and besides these
    /// none that takes something back.
    public func contain(_ other: IgnoreRules) -> Bool {
        var rest = other.rules[...]
        for rule in rules {
            if let next = rest.first, next.text.utf8.elementsEqual(rule.text.utf8) {
                rest.removeFirst()
            } else if rule.isNegated {
                return false
            }
        }
        return rest.isEmpty
    }

    /// These rules and after them other ones, so that nothing is taken back that those leave out.
    public func adding(_ other: IgnoreRules) -> IgnoreRules {
        IgnoreRules(rules: rules + other.rules, invalidLines: invalidLines)
    }

    /// The lines of these rules and one for each of some paths, which are left out with all that is below them; none for a path
    /// that can stand in no line, since it is no text or has a line break.
    public func leavingOut(_ paths: some Collection<FolderPath>) -> IgnoreRules {
        var lines = text
        for path in paths.sorted() {
            guard let line = String(validating: path.bytes, as: UTF8.self), !line.contains(where: \.isNewline) else {
                continue
            }
            // After a backslash each character stands for itself.
            lines += "/" + line.map { $0.isLetter || $0.isNumber || $0 == "/" ? "\($0)" : "\\\($0)" }.joined() + "\n"
        }
        return IgnoreRules(text: lines.utf8)
    }

    private init(rules: [IgnoreRule], invalidLines: [Int]) {
        self.rules = rules
        self.invalidLines = invalidLines
    }

    /// Reads the folder's own rules.
    ///
    /// A file that is there and cannot be read is an error, not an empty list: else everything that it leaves out
    /// would be uploaded.
    public static func read(from root: FolderRoot) throws(FolderError) -> IgnoreRules {
        guard let path = FolderPath(fileName) else { preconditionFailure("the name is a path") }
        do throws(FolderError) {
            return IgnoreRules(text: try FolderReader(root: root).read(path, limit: largestFile).bytes)
        } catch {
            if error.code == .notFound { return IgnoreRules() }
            throw error
        }
    }

    /// Whether a path, or a directory above it, is left out.
    public func isIgnored(_ path: FolderPath, isDirectory: Bool) -> Bool {
        rule(ignoring: path, isDirectory: isDirectory) != nil
    }

    /// The rule that leaves a path out, or `nil` for one that is synced.
    ///
    /// As in git, nothing below a directory that is left out can be taken back.
    public func rule(ignoring path: FolderPath, isDirectory: Bool) -> IgnoreRule? {
        path.bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            while start < bytes.count {
                let end = bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
                let above = UnsafeBufferPointer(rebasing: bytes[..<end])
                if let rule = rule(for: above, nameFrom: start, isDirectory: isDirectory || end < bytes.count) {
                    return rule
                }
                start = end + 1
            }
            return nil
        }
    }

    /// The rule that leaves a path out whose directory is not left out: what a walk from the root asks.
    func rule(ignoringBelow path: FolderPath, nameFrom start: Int, isDirectory: Bool) -> IgnoreRule? {
        path.bytes.withUnsafeBufferPointer { rule(for: $0, nameFrom: start, isDirectory: isDirectory) }
    }

    private func rule(for path: UnsafeBufferPointer<UInt8>, nameFrom start: Int, isDirectory: Bool) -> IgnoreRule? {
        guard let rule = lastMatch(of: path, nameFrom: start, isDirectory: isDirectory), !rule.isNegated else {
            return nil
        }
        return rule
    }

    /// The rule that speaks last of a path itself, whichever way; the directories above it are not looked at.
    func lastMatch(of path: FolderPath, isDirectory: Bool) -> IgnoreRule? {
        path.bytes.withUnsafeBufferPointer { bytes in
            let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
            return lastMatch(of: bytes, nameFrom: start, isDirectory: isDirectory)
        }
    }

    /// Whether no line can take a rule back.
    package static func isRequired(_ rule: IgnoreRule) -> Bool {
        rule == stateDirectory || rule == reserved || rule == conflictCopy
    }

    private func lastMatch(
        of path: UnsafeBufferPointer<UInt8>, nameFrom start: Int, isDirectory: Bool
    ) -> IgnoreRule? {
        let name = UnsafeBufferPointer(rebasing: path[start...])
        if name.elementsEqual(FolderRoot.stateNameBytes) { return Self.stateDirectory }
        if !isDirectory, ConflictCopyName.isConflictCopy(name: name) { return Self.conflictCopy }
        if name.first == UInt8(ascii: "."), Self.isReserved(name, isAtRoot: start == 0, isDirectory: isDirectory) {
            return Self.reserved
        }
        if !isDirectory, path.elementsEqual(Self.fileNameBytes) { return nil }
        var index = rules.count
        while index > 0 {
            index -= 1
            if rules[index].matches(path, nameFrom: start, isDirectory: isDirectory) {
                return rules[index]
            }
        }
        return nil
    }

    private static func isReserved(_ name: UnsafeBufferPointer<UInt8>, isAtRoot: Bool, isDirectory: Bool) -> Bool {
        isAtRoot && isDirectory
            ? ReservedName.isReserved(directoryAtRoot: name) : ReservedName.isReserved(name)
    }

    private static func required(_ text: String, _ reason: String, isTold: Bool = false) -> IgnoreRule {
        guard case .rule(let rule) = IgnoreRule.parse(text.utf8, number: nil, reason: reason, isTold: isTold) else {
            preconditionFailure("the built-in rule \(text) can be read")
        }
        return rule
    }
}
