/// The example of protocol §8.2.
enum Example {
    static let text = """
        DEFINE SCHEMA

            CREATE ROLE editor;

            RECORD TYPE Note (
                "___recordID"   REFERENCE QUERYABLE,
                "___modTime"    TIMESTAMP QUERYABLE SORTABLE,
                path            STRING QUERYABLE SORTABLE,
                title           STRING QUERYABLE SORTABLE SEARCHABLE,
                rank            INT64 QUERYABLE SORTABLE,
                ratio           DOUBLE,
                due             TIMESTAMP QUERYABLE SORTABLE,
                tags            LIST<STRING> QUERYABLE SEARCHABLE,
                place           LOCATION QUERYABLE,
                thumbnail       BYTES,
                cover           ASSET,
                folder          REFERENCE QUERYABLE,
                secret          ENCRYPTED STRING,
                "queryable"     STRING,                  // reserved word as a name
                GRANT WRITE TO "_creator",
                GRANT CREATE TO "_icloud",
                GRANT READ TO "_world",
                GRANT READ, CREATE, WRITE TO editor
            );

            RECORD TYPE File (
                "___recordID"   REFERENCE QUERYABLE,
                path            STRING QUERYABLE SORTABLE,
                content         ASSET,
                size            INT64,
                sha256          STRING QUERYABLE,
                modified        TIMESTAMP QUERYABLE SORTABLE,
                executable      INT64
            );
        """
}
