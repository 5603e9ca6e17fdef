import LosslessJSON
import RecordMapping

/// A counter's number by its decimal value, as a whole number of some power of ten.
///
/// Only a literal that a record's field can have whole is one: an `Int64` without fraction and exponent, or what the shortest
/// spelling of a `Double` says, so that 0.1 is a tenth. To add up others would lose what their last digits say.
struct CountedNumber {
    private let units: Int128
    /// The power of ten that one unit is.
    private let exponent: Int
    /// Whether it is an INT64 to CloudKit. A `-0` counts as 0 here.
    private let isInteger: Bool

    /// `nil` for a literal that no field has whole, and for another kind of value.
    init?(_ node: JSONNode) {
        if let integer = node.text.elementsEqual("-0".utf8) ? 0 : node.int64 {
            (units, exponent, isInteger) = (Int128(integer), 0, true)
            return
        }
        guard let double = node.double, let number = NumberText.normal(node.text),
            number == NumberText.normal(JSONSpelling.double(double)[...])
        else { return nil }
        // The shortest spelling has 17 digits at most.
        let magnitude = number.digits.reduce(Int128(0)) { $0 * 10 + Int128($1 - UInt8(ascii: "0")) }
        (units, exponent, isInteger) = (number.isNegative ? -magnitude : magnitude, number.exponent, false)
    }

    /// The base with both sides' differences from it, as a literal: an integer where all three are; `nil` where no field can have
    /// that whole.
    static func sum(base: Self, local: Self, remote: Self) -> [UInt8]? {
        // A zero has no last digit.
        let exponent = [base, local, remote].filter { $0.units != 0 }.map(\.exponent).min() ?? 0
        guard let b = base.inUnits(of: exponent), let l = local.inUnits(of: exponent),
            let r = remote.inUnits(of: exponent)
        else { return nil }
        let sum = r + l - b
        if base.isInteger, local.isInteger, remote.isInteger { return Int64(exactly: sum).map(JSONSpelling.int64) }
        let text = "\(sum)e\(exponent)"
        guard let double = Double(text), double.isFinite else { return nil }
        let literal = JSONSpelling.double(double)
        return NumberText.normal(literal[...]) == NumberText.normal(Array(text.utf8)[...]) ? literal : nil
    }

    /// As a number of units of a lower power of ten; `nil` where three of that size may be too large to add up. Numbers so far
    /// apart have no sum that a field could hold.
    private func inUnits(of lower: Int) -> Int128? {
        guard units != 0 else { return 0 }
        var scaled = units
        for _ in lower..<exponent {
            guard scaled.magnitude < UInt128.max / 100 else { return nil }
            scaled *= 10
        }
        return scaled
    }
}
