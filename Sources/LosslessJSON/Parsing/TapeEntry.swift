/// One value or key of a document, on the tape.
///
/// The tape is the document in reading order: a container's entry, then its items; in an object each member is the
/// entry of its key followed by those of its value. `next` leads past an entry and all that is inside it.
struct TapeEntry {
    /// Where its text begins in the document.
    var start: UInt32
    /// Where its text ends.
    var end: UInt32
    /// The index of the first entry that is not inside this one.
    var next: UInt32
    /// The form in the low 3 bits, the mark in the fourth, the count of members or elements above.
    private var info: UInt32

    enum Form: UInt32 {
        case object, array, string, number, `true`, `false`, null
    }

    init(_ form: Form, start: Int, end: Int, next: Int, isMarked: Bool = false) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
        self.next = UInt32(truncatingIfNeeded: next)
        self.info = form.rawValue | (isMarked ? 8 : 0)
    }

    var form: Form { Form(rawValue: info & 7)! }

    /// Of a string: it has escapes. Of a number: it has a fraction or an exponent.
    var isMarked: Bool { info & 8 != 0 }

    /// How many members or elements a container has. A document of the greatest size has fewer than 2^28.
    var count: Int {
        get { Int(info >> 4) }
        set { info = info & 15 | UInt32(truncatingIfNeeded: newValue) << 4 }
    }

    var range: Range<Int> { Int(start)..<Int(end) }
}
