package import GRDB

extension Database {
    /// A transaction of many: GRDB's own prepares its statements each time, which costs more than a small one's work.
    package func transaction<Value>(_ begin: String, _ body: () throws -> Value) throws -> Value {
        try cachedStatement(sql: begin).execute()
        do {
            let value = try body()
            try cachedStatement(sql: "COMMIT TRANSACTION").execute()
            return value
        } catch {
            // Some errors end the transaction by themselves.
            if isInsideTransaction { try? execute(sql: "ROLLBACK TRANSACTION") }
            throw error
        }
    }
}
