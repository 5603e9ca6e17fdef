/// One step from a container to something in it.
public enum JSONPathStep: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// Into an object, by key (compared byte by byte).
    case key(String)
    /// Into an array, counted from 0.
    case index(Int)

    /// A key.
    public init(stringLiteral key: String) {
        self = .key(key)
    }

    /// An index.
    public init(integerLiteral index: Int) {
        self = .index(index)
    }

    /// Keys are equal when their bytes are.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.key(let left), .key(let right)): left.utf8.elementsEqual(right.utf8)
        case (.index(let left), .index(let right)): left == right
        default: false
        }
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .key(let key): for byte in key.utf8 { hasher.combine(byte) }
        case .index(let index): hasher.combine(index)
        }
    }
}

/// One change to a document, named by places in the document as it was parsed.
///
/// Values are JSON texts and go in as they are spelt; white space around them does not.
public struct JSONEdit: Hashable, Sendable {
    /// The steps from the root; none is the root itself.
    public typealias Path = [JSONPathStep]

    /// Where in its container a new member or element goes.
    public enum Position: Hashable, Sendable {
        case first, last
        /// Before or after something that is in the container and stays there.
        case before(JSONPathStep)
        case after(JSONPathStep)
    }

    enum Change: Hashable, Sendable {
        case replace(value: [UInt8])
        case remove
        case insert(key: String?, value: [UInt8], Position)
    }

    let path: Path
    let change: Change

    /// Sets another value in the place of one; every byte around it stays.
    public static func replace(_ path: Path, with value: [UInt8]) -> Self {
        Self(path: path, change: .replace(value: value))
    }

    /// Takes a member or an element out, with its comma and the white space that set it off.
    public static func remove(_ path: Path) -> Self {
        Self(path: path, change: .remove)
    }

    /// Puts a new member into the object at a path, laid out like the members around it.
    public static func insert(
        key: String, value: [UInt8], into object: Path = [], at position: Position = .last
    ) -> Self {
        Self(path: object, change: .insert(key: key, value: value, position))
    }

    /// Puts a new element into the array at a path, laid out like the elements around it.
    public static func insert(element value: [UInt8], into array: Path, at position: Position = .last) -> Self {
        Self(path: array, change: .insert(key: nil, value: value, position))
    }
}

/// Why an edit does not fit its document.
public struct JSONEditError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of mistakes.
    public enum Code: Hashable, Sendable {
        case noSuchPlace, wrongKind, keyExists, overlapping, invalidValue, tooDeep
    }

    /// What is wrong, to branch on.
    public let code: Code
    /// The place and what is wrong, for a person.
    public let message: String

    /// The message.
    public var description: String { message }

    static func noSuchPlace(_ path: JSONEdit.Path) -> Self {
        Self(code: .noSuchPlace, message: "The document has no \(shown(path)).")
    }

    static func notAContainer(_ path: JSONEdit.Path, isObject: Bool) -> Self {
        Self(code: .wrongKind, message: "\(shown(path)) is no \(isObject ? "object" : "array").")
    }

    static func rootRemoved() -> Self {
        Self(code: .wrongKind, message: "The document's root cannot be removed, only replaced.")
    }

    static func keyExists(_ key: String, in path: JSONEdit.Path) -> Self {
        Self(code: .keyExists, message: "\(shown(path + [.key(key)])) is there already.")
    }

    static func overlapping(_ path: JSONEdit.Path) -> Self {
        Self(code: .overlapping, message: "\(shown(path)) is changed by two edits at once.")
    }

    static func invalidValue(_ path: JSONEdit.Path, _ error: JSONError) -> Self {
        Self(code: .invalidValue, message: "The new value at \(shown(path)) is no JSON (\(error)).")
    }

    static func tooDeep(_ path: JSONEdit.Path) -> Self {
        Self(
            code: .tooDeep,
            message: "With the new value at \(shown(path)), more than \(JSONDocument.maximumDepth) levels are nested.")
    }

    private static func shown(_ path: JSONEdit.Path) -> String {
        guard !path.isEmpty else { return "root" }
        return path.map { step in
            switch step {
            case .key(let key): "[\(String(decoding: JSONSpelling.string(key), as: UTF8.self))]"
            case .index(let index): "[\(index)]"
            }
        }.joined()
    }
}
