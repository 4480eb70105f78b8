import Banyan
import Testing

@Suite("The schema of a graph")
struct SchemaTests {
    @Test("Types and properties are there with all that was declared of them")
    func contents() throws {
        let store = try Store(.init(models: [Owner.self, Register.self]))
        let schema = store.schema
        #expect(schema.objectSchema.map(\.className) == ["Abode", "Hound", "Owner", "Register"])
        let owner = try #require(schema["Owner"])
        #expect(owner.primaryKeyProperty?.name == "id" && !owner.isEmbedded && schema["Abode"]?.isEmbedded == true)
        #expect(owner["name"]?.isIndexed == true && owner["age"]?.isIndexed == false && owner["nothing"] == nil)
        #expect(owner["hounds"]?.isArray == true && owner["hounds"]?.type == .object)
        #expect(owner["hounds"]?.objectClassName == "Hound" && owner["walked"]?.isSet == true)
        #expect(owner["byName"]?.isMap == true && owner["byName"]?.keyType == .string)
        #expect(owner["friendOf"]?.type == .linkingObjects && owner["friendOf"]?.linkOriginPropertyName == "friend")
        #expect(owner["abode"]?.type == .embedded && owner["favourite"]?.isOptional == true)
        #expect(schema["Register"]?["number"]?.isUnique == true && schema["Register"]?["title"]?.isOptional == true)
        #expect(schema["Hound"]?["age"]?.type == .int8 && schema["Nobody"] == nil)
    }

    @Test("They are values: equal, hashable, printed")
    func values() throws {
        let (a, b) = (try Store(.init(models: kinfolk)), try Store(.init(models: kinfolk)))
        #expect(a.schema == b.schema && Set([a.schema, Graph(b).schema, a.freeze().schema]).count == 1)
        let hound = try #require(a.schema["Hound"])
        #expect(hound.description.hasPrefix("Hound: Object {\n    name: String\n    age: Int8\n"))
        #expect(hound.description.contains("owners: LinkingObjects<Owner> of hounds"))
        #expect(a.schema["Owner"]?["id"]?.description == "id: Int, primary key")
        #expect(a.schema["Owner"]?["name"]?.description == "name: String, indexed")
        let object = try Graph(a).added(Hound("x"))
        #expect(object.objectSchema == hound && Hound("y").objectSchema == nil)
    }
}
