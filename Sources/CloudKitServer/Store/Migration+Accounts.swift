import GRDB

extension Migrations {
    /// Passwords, sign-ins that end, API tokens with a callback and origins, server-to-server keys.
    static let accountsOfTheirOwn = [
        // NULL: nobody signs in by password. Else how it was hashed, with what, and the hash: PasswordHash.
        "ALTER TABLE users ADD COLUMN password TEXT",
        // 1: the user record of a server-to-server key, as which no person signs in.
        "ALTER TABLE users ADD COLUMN is_key INTEGER NOT NULL DEFAULT 0",
        // Milliseconds that a web auth token lives after it was issued; NULL: for ever. `expires_at` moves along.
        "ALTER TABLE sessions ADD COLUMN lifetime INTEGER",
        // Where a sign-in ends, with the token in its query; NULL: at a page that posts it to its opener, or shows it.
        "ALTER TABLE api_tokens ADD COLUMN callback TEXT",
        """
        CREATE TABLE api_token_origins (
            hash   BLOB NOT NULL REFERENCES api_tokens (hash) ON DELETE CASCADE,
            origin TEXT NOT NULL,          -- such as 'https://example.org'; a token without any takes all origins
            PRIMARY KEY (hash, origin)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE server_keys (
            id          TEXT NOT NULL PRIMARY KEY,  -- 64 hexadecimal digits: the SHA-256 of container, environment, key
            container   TEXT NOT NULL,
            environment TEXT NOT NULL,
            public_key  BLOB NOT NULL,              -- a point of P-256, uncompressed (X9.63): 65 bytes
            user_id     INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,  -- as whom it writes
            created_at  INTEGER NOT NULL
        ) STRICT
        """,
    ]
}
