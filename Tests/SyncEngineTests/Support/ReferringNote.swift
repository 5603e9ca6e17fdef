/// Notes that refer to each other.
enum ReferringNote {
    /// A note that refers to another one, or to none.
    static func text(_ target: String?, action: String = "VALIDATE") -> String {
        target.map { "{\n  \"x\": 1,\n  \"next\": {\"$ref\": \"\($0)\", \"action\": \"\(action)\"}\n}\n" }
            ?? "{\n  \"x\": 1\n}\n"
    }
}
