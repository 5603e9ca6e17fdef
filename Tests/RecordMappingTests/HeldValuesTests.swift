import DocumentMerging
import RecordMapping
import Testing

@Suite("Whether a text has all values of another one")
struct HeldValuesTests {
    @Test(
        "All of them, each where it was; more of them and another order do not matter",
        arguments: [
            (#"{"a": 1, "b": "x"}"#, #"{"b":"x","a":1}"#, true),
            (#"{"a": 1, "b": "x"}"#, #"{"a": 1}"#, true),
            (#"{"a": 1}"#, #"{"a": 1, "b": "x"}"#, false),
            (#"{"a": 1}"#, #"{"a": 2}"#, false),
            (#"{"a": 1}"#, #"{"b": 1}"#, false),
            (#"{"a": "\u0061"}"#, #"{"a": "a"}"#, true),
            (#"{"a": {"b": 1, "c": 2}}"#, #"{"a": {"c": 2}}"#, true),
            (#"{"a": {"b": 1}}"#, #"{"a": {"c": 2}}"#, false),
            (#"{"a": [1, 2]}"#, #"{"a": [1]}"#, false),
            (#"{"é": 1}"#, "{\"e\u{301}\": 1}", false),
            (#"{"a": null}"#, "{}", true),
            ("no document", "no document", true),
            (#"{"a": 1}"#, "no document", false),
        ])
    func table(text: String, other: String, isHeld: Bool) {
        #expect(DocumentMerge.holds(Array(text.utf8), allOf: Array(other.utf8)) == isHeld)
    }
}
