/// By what an API token was made.
public enum APITokenMaker: String, Hashable, Sendable, CaseIterable {
    /// `serve user add`, for a person.
    case userAdd = "user add"
    /// An invitation that a person redeemed.
    case invitation
    /// `serve token add`, for a program or a page.
    case tokenAdd = "token add"
}
