import GRDB
import StateRows
import SyncModel

/// The rows of `problem`.
enum ProblemTable {
    static func all(_ db: Database) throws -> [HeldProblem] {
        var rows = try SQLStatement(
            db, "SELECT subject, name, code, message, remedy, line, since FROM problem ORDER BY subject, name")
        var problems: [HeldProblem] = []
        while try rows.step() {
            let subject: HeldProblem.Subject =
                switch rows.text(0) {
                case "path": .path(try rows.path(1))
                case "record": .record(RecordName(String(decoding: rows.bytes(1), as: UTF8.self)))
                default: .folder
                }
            let problem = Problem(
                Problem.Code(rawValue: rows.text(2)), message: rows.text(3), remedy: rows.text(4),
                line: rows.int64OrNil(5).map { Int($0) })
            problems.append(HeldProblem(subject: subject, problem: problem, sinceMilliseconds: rows.int64(6)))
        }
        return problems
    }

    static func put(_ problem: Problem, _ subject: HeldProblem.Subject, now: Int64, _ db: Database) throws {
        var upsert = try SQLStatement(
            db,
            """
            INSERT INTO problem VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (subject, name) DO UPDATE SET
                since = CASE WHEN code = excluded.code THEN since ELSE excluded.since END,
                code = excluded.code, message = excluded.message, remedy = excluded.remedy, line = excluded.line
            WHERE (code, message, remedy, line)
                IS NOT (excluded.code, excluded.message, excluded.remedy, excluded.line)
            """)
        bind(subject, to: &upsert)
        upsert.bind(problem.code.rawValue)
        upsert.bind(problem.message)
        upsert.bind(problem.remedy)
        upsert.bind(problem.line.map { Int64($0) })
        upsert.bind(now)
        try upsert.run()
    }

    static func remove(_ subject: HeldProblem.Subject, _ db: Database) throws {
        var delete = try SQLStatement(db, "DELETE FROM problem WHERE subject = ? AND name = ?")
        bind(subject, to: &delete)
        try delete.run()
    }

    private static func bind(_ subject: HeldProblem.Subject, to statement: inout SQLStatement) {
        switch subject {
        case .folder:
            statement.bind("folder")
            statement.bind([UInt8]())
        case .path(let path):
            statement.bind("path")
            statement.bind(path)
        case .record(let name):
            statement.bind("record")
            statement.bind(Array(name.rawValue.utf8))
        }
    }
}
