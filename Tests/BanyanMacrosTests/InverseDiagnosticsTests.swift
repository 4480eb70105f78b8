import Testing

@Suite struct InverseDiagnosticsTests {
    @Test(
        "An inverse has to say whose it is",
        arguments: [
            Mistake.line(
                "«@Persisted var owners: LinkingObjects<Person>",
                "'LinkingObjects' needs the property of 'Person' that links here: 'originProperty:' or 'inverseOf:'",
                fixIt: "name the property",
                fixed: "@Persisted(originProperty: \"<#property of Person#>\") var owners: LinkingObjects<Person>"),
            .line(
                "«@Persisted(indexed: true) var owners: Banyan.LinkingObjects<Keeper>",
                "'LinkingObjects' needs the property of 'Keeper' that links here: 'originProperty:' or"
                    + " 'inverseOf:'",
                fixIt: "name the property",
                fixed: "@Persisted(originProperty: \"<#property of Keeper#>\")"
                    + " var owners: Banyan.LinkingObjects<Keeper>"),
            .line(
                "@Persisted(originProperty: «\"\") var owners: LinkingObjects<Person>",
                "'' is not the name of a property"),
            .line(
                "@Persisted(originProperty: «\"dogs.name\") var owners: LinkingObjects<Person>",
                "'dogs.name' is not the name of a property"),
            .line(
                "@Persisted(inverseOf: «\\.dogs) var owners: LinkingObjects<Person>",
                "write the key path with its type, as in '\\DogClub.members'"),
            .line(
                "@Persisted(inverseOf: «\\Person.dogs[0]) var owners: LinkingObjects<Person>",
                "'\\Person.dogs[0]' is not the name of a property"),
        ])
    func origin(_ mistake: Mistake) {
        mistake.expectReported()
    }

    @Test(
        "Only LinkingObjects are inverses",
        arguments: [
            Mistake.line(
                "@Persisted(originProperty: \"dogs\") var owners: «List<Person>",
                "'originProperty' declares an inverse; its type is 'LinkingObjects<…>'"),
            .line(
                "@Persisted(inverseOf: \\Person.dogs) var owner: «Person?",
                "'inverseOf' declares an inverse; its type is 'LinkingObjects<…>'"),
            .line(
                "@Persisted(«originProperty: \"dogs\") var owners = 0",
                "'originProperty' declares an inverse; its type is 'LinkingObjects<…>'"),
        ])
    func otherTypes(_ mistake: Mistake) {
        mistake.expectReported()
    }

    @Test("An inverse has no default")
    func withDefault() {
        Mistake.line(
            "@Persisted(originProperty: \"dogs\") var owners: LinkingObjects<Person> «= LinkingObjects()",
            "an inverse has no default; the graph keeps it", fixIt: "remove the default",
            fixed: "@Persisted(originProperty: \"dogs\") var owners: LinkingObjects<Person>"
        ).expectReported()
    }
}
