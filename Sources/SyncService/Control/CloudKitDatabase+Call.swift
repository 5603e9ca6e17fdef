import CloudKitClient
import FolderControl

extension CloudKitDatabase {
    /// Makes a request to one of the container's databases; gives the body of the server's 200.
    func make(_ call: DatabaseCall) async throws -> String {
        guard let scope = DatabaseAddress.Scope(rawValue: call.database) else {
            throw ControlError.refused("There is no database '\(call.database)': it must be public, private or shared.")
        }
        let body = try await with(scope: scope).call(
            CloudKitOperation(rawValue: call.operation), body: call.body.map { Array($0.utf8) })
        return String(decoding: body, as: UTF8.self)
    }
}
