/// One line of an ignore file, or one built-in rule.
public struct IgnoreRule: Hashable, Sendable {
    /// The pattern as written.
    public let text: String
    /// The line of `.zonefolderignore`, from 1, or `nil` for a built-in rule.
    public let line: Int?
    /// For a built-in rule: whose files it leaves out.
    public let reason: String?
    /// Whether the line begins with `!` and so takes back what earlier rules ignore.
    public let isNegated: Bool
    /// Whether what it leaves out is named to a person, who may have meant it to be synced.
    public let isTold: Bool

    private enum Piece: Hashable, Sendable {
        case anyDirectories
        case name(GlobSegment)
    }

    private let directoriesOnly: Bool
    private let filesOnly: Bool
    /// One piece that may stand at any depth, or all pieces from the root down.
    private let isAnchored: Bool
    private let pieces: [Piece]

    enum Parsed {
        case rule(IgnoreRule)
        case nothing
        case invalid
    }

    /// Reads one line in gitignore syntax, without its end-of-line.
    /// - Parameter ignoresCase: Whether it fits names in any letter case.
    static func parse(
        _ line: some Collection<UInt8>, number: Int?, reason: String? = nil, filesOnly: Bool = false,
        isTold: Bool = false, ignoringCase ignoresCase: Bool = false
    ) -> Parsed {
        var rest = Array(line)[...]
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        if rest.first == UInt8(ascii: "#") { return .nothing }
        // A blank at the end counts only after a backslash.
        while rest.last == UInt8(ascii: " ") {
            let escapes = rest.dropLast().reversed().prefix { $0 == UInt8(ascii: "\\") }.count
            if escapes % 2 == 1 { break }
            rest.removeLast()
        }
        let text = String(decoding: rest, as: UTF8.self)
        let isNegated = rest.first == UInt8(ascii: "!")
        if isNegated { rest.removeFirst() }
        let directoriesOnly = rest.last == UInt8(ascii: "/")
        if directoriesOnly { rest.removeLast() }
        let isAnchored = rest.contains(UInt8(ascii: "/"))
        if rest.first == UInt8(ascii: "/") { rest.removeFirst() }
        guard !rest.isEmpty else { return .nothing }
        guard let pieces = pieces(of: rest, isAnchored: isAnchored, ignoresCase) else { return .invalid }
        return .rule(
            IgnoreRule(
                text: text, line: number, reason: reason, isNegated: isNegated, isTold: isTold,
                directoriesOnly: directoriesOnly, filesOnly: filesOnly, isAnchored: isAnchored, pieces: pieces))
    }

    private static func pieces(of pattern: ArraySlice<UInt8>, isAnchored: Bool, _ ignoresCase: Bool) -> [Piece]? {
        let names = pattern.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var pieces: [Piece] = []
        for name in names {
            if isAnchored, name.elementsEqual("**".utf8) {
                if pieces.last != .anyDirectories { pieces.append(.anyDirectories) }
            } else {
                guard let segment = GlobSegment(name, ignoringCase: ignoresCase) else { return nil }
                pieces.append(.name(segment))
            }
        }
        // `a/**` is everything in `a`, and not `a` itself.
        if pieces.last == .anyDirectories, let any = GlobSegment([UInt8(ascii: "*")]) { pieces.append(.name(any)) }
        return pieces
    }

    /// Whether this rule speaks of a path; what a negated rule then says is the caller's to know.
    func matches(_ path: UnsafeBufferPointer<UInt8>, nameFrom start: Int, isDirectory: Bool) -> Bool {
        if directoriesOnly && !isDirectory || filesOnly && isDirectory { return false }
        guard case .name(let last)? = pieces.last,
            last.matches(UnsafeBufferPointer(rebasing: path[start...]))
        else { return false }
        return !isAnchored || matchesFromRoot(path)
    }

    private func matchesFromRoot(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
        let names = path.split(separator: UInt8(ascii: "/"))
        var piece = 0
        var position = 0
        var retry: (piece: Int, position: Int)?
        while position < names.count {
            if piece < pieces.count {
                switch pieces[piece] {
                case .anyDirectories:
                    retry = (piece + 1, position)
                    piece += 1
                    continue
                case .name(let segment) where segment.matches(UnsafeBufferPointer(rebasing: names[position])):
                    piece += 1
                    position += 1
                    continue
                default: break
                }
            }
            guard let (again, from) = retry else { return false }
            retry = (again, from + 1)
            piece = again
            position = from + 1
        }
        return piece == pieces.count
    }
}
