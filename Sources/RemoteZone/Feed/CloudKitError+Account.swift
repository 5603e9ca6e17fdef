package import CloudKitClient
import CloudKitWire

extension CloudKitError {
    /// Whether another folder could have had another answer: with its account and credentials, or just by not being ended.
    package var isOfTheAccount: Bool {
        switch reaction() {
        case .signIn, .hold(.noPermission): return true
        default: break
        }
        switch code {
        case .credentialsNotStored, .transport(.cancelled): return true
        default: break
        }
        return status == 503 && reason?.lowercased().contains("account") == true
    }
}
