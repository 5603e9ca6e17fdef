/// Which value of a file a problem is about: that of a key at the top level, or one in its list.
struct ValuePlace {
    let key: String
    /// Of the value in the key's list, counted from 1.
    var element: Int?

    /// As it begins a sentence.
    var subject: String { element.map { "Element \($0) of \"\(key)\"" } ?? "\"\(key)\"" }

    /// As it stands within one.
    var object: String { element.map { "element \($0) of \"\(key)\"" } ?? "\"\(key)\"" }
}
