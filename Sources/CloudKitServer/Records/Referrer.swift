/// A record that refers to another one, so that something follows from the other one's deletion.
struct Referrer {
    var id: Int64
    var name: String
    var zone: Int64
    /// Whether it holds up the deletion, by VALIDATE or as a child; else it is deleted, too.
    var holds: Bool
    var target: String
    var targetZone: Int64
}
