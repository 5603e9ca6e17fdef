/// A view of one value in a parsed document.
public struct JSONNode: Sendable {}
/// Writes compact JSON.
public struct JSONWriter: Sendable {}
