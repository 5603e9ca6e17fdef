import LocalFolder
import SyncModel
import SystemPackage

/// The parts of the state directory that writing needs, on the folder's own file system.
struct StateDirectories: Sendable {
    let staging: DirectoryHandle
    let history: DirectoryHandle
    let cookies: DirectoryHandle

    init(in root: FolderRoot) throws(FolderError) {
        do throws(Errno) {
            let state = try Descriptor.open(
                beneath: root.descriptor, FolderRoot.stateNameTerminated, .directory, sameMount: true)
            staging = try Self.open("staging", in: state, of: root)
            history = try Self.open("history", in: state, of: root)
            cookies = try Self.open("cookies", in: state, of: root)
        } catch {
            throw .stateDirectory("opening its parts", error)
        }
    }

    /// Whether the directories still have a name; a removed one takes nothing any more.
    var areThere: Bool {
        [staging, history].allSatisfy { (try? $0.descriptor.status().links) ?? 0 > 0 }
    }

    private static func open(
        _ name: String, in state: borrowing Descriptor, of root: FolderRoot
    ) throws(Errno) -> DirectoryHandle {
        let name = Array(name.utf8) + [0]
        _ = try state.makeDirectory(name, mode: 0o700)
        let directory = try Descriptor.open(beneath: state, name, .directory, sameMount: true)
        guard try directory.status().stamp.device == root.identity.device else { throw .improperLink }
        return DirectoryHandle(directory)
    }
}
