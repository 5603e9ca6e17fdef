import DatabaseReading
import GRDB
import SystemPackage

extension DataDirectory {
    /// Reads a server's database, whether a server runs on it or not, and leaves no trace of that; also one that a server has
    /// not yet brought up to date, which ``look(at:_:)`` refuses.
    /// - Parameter body: May be run again.
    static func read<Answer>(_ path: FilePath, _ body: (DatabaseQueue) throws -> Answer) throws -> Answer {
        let file = FilePath(database(in: path))
        return try explaining(path) {
            do {
                return try TracelessReader.read(file, body)
            } catch Errno.noSuchFileOrDirectory {
                throw ServerError.noData(path)
            } catch let error as Errno {
                throw ServerError.file("read", file, error)
            }
        }
    }
}
