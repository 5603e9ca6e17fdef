/// A sync token that a fault gave out: the store's token, and what the fault has to know when it comes back.
///
/// Its text is `fault.<empty pages so far>.<1 if the fetch began without a token>.<the store's token>`. A server without
/// faults refuses it like any other that it never made, and the client fetches from the beginning.
struct FaultToken: Hashable, Sendable {
    var emptyPages: Int
    var isFromNothing: Bool
    /// The store's; `nil` where the client had none.
    var inner: String?

    private static let mark = "fault."

    init(emptyPages: Int, isFromNothing: Bool, inner: String?) {
        self.emptyPages = emptyPages
        self.isFromNothing = isFromNothing
        self.inner = inner
    }

    /// Takes any token apart; one that is the store's own has nothing around it.
    init(_ text: String) {
        let parts = text.dropFirst(Self.mark.count).split(
            separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard text.hasPrefix(Self.mark), parts.count == 3, let count = Int(parts[0]) else {
            self.init(emptyPages: 0, isFromNothing: false, inner: text)
            return
        }
        self.init(
            emptyPages: count, isFromNothing: parts[1] == "1", inner: parts[2].isEmpty ? nil : String(parts[2]))
    }

    var text: String { "\(Self.mark)\(emptyPages).\(isFromNothing ? 1 : 0).\(inner ?? "")" }

    /// Puts the store's token in the place of one that a fault gave out.
    static func unwrap(_ key: String, in object: inout RawObject) {
        guard let text = object[key]?.string, text.hasPrefix(mark) else { return }
        object[key] = FaultToken(text).inner.map(RawValue.string)
    }
}
