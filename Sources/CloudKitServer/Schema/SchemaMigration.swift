import GRDB

/// The tables of schemas beside `schema_fields`, and what older data directories get in them.
enum SchemaMigration {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("2: schemas") { db in
            for table in tables { try db.execute(sql: table) }
            try indexWhatWasSaved(db)
            try grantAsUsual(db)
        }
    }

    private static let tables = [
        """
        CREATE TABLE schema_roles (
            container   TEXT NOT NULL,
            environment TEXT NOT NULL,     -- 'development' or 'production'
            name        TEXT NOT NULL,     -- without '_world', '_icloud' and '_creator', which always exist
            PRIMARY KEY (container, environment, name)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE schema_indexes (
            container   TEXT NOT NULL,
            environment TEXT NOT NULL,
            record_type TEXT NOT NULL,
            field       TEXT NOT NULL,     -- also a system field by its name, such as '___recordID'
            kind        TEXT NOT NULL,     -- 'QUERYABLE', 'SORTABLE' or 'SEARCHABLE'
            PRIMARY KEY (container, environment, record_type, field, kind)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE schema_grants (
            container   TEXT NOT NULL,
            environment TEXT NOT NULL,
            record_type TEXT NOT NULL,
            role        TEXT NOT NULL,
            permission  TEXT NOT NULL,     -- 'READ', 'CREATE' or 'WRITE'
            PRIMARY KEY (container, environment, record_type, role, permission)
        ) STRICT, WITHOUT ROWID
        """,
    ]

    /// Fields that came by saving get the indexes that they would get now. In plain words, because what later versions
    /// of the program think of indexes must not change what this migration does.
    private static func indexWhatWasSaved(_ db: Database) throws {
        let kinds = [
            "QUERYABLE": [
                "STRING", "INT64", "DOUBLE", "TIMESTAMP", "REFERENCE", "LOCATION", "STRING_LIST", "INT64_LIST",
                "DOUBLE_LIST", "TIMESTAMP_LIST", "REFERENCE_LIST", "LOCATION_LIST",
            ],
            "SORTABLE": ["STRING", "INT64", "DOUBLE", "TIMESTAMP", "LOCATION"],
            "SEARCHABLE": ["STRING", "STRING_LIST"],
        ]
        for (kind, types) in kinds {
            for type in types {
                try db.execute(
                    sql: """
                        INSERT INTO schema_indexes SELECT container, environment, record_type, field, ?
                        FROM schema_fields WHERE type = ? AND field <> ''
                        """,
                    arguments: [kind, type])
            }
        }
    }

    private static func grantAsUsual(_ db: Database) throws {
        for (role, permission) in [("_creator", "WRITE"), ("_icloud", "CREATE"), ("_world", "READ")] {
            try db.execute(
                sql: """
                    INSERT INTO schema_grants SELECT container, environment, record_type, ?, ?
                    FROM schema_fields WHERE field = ''
                    """,
                arguments: [role, permission])
        }
    }
}
