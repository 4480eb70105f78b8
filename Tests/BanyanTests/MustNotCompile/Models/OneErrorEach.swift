// A type that is not stored is one error, at the property. The compiler says twice of a name that it is not there.
import Banyan
import Foundation

struct Plain {}

@Model class NotStored: Object {
    @Persisted var optional: Plain?  // ✗ this type is not stored; make it a PersistableEnum
    @Persisted var list: List<Plain>  // ✗ type 'Plain' does not conform to protocol 'CollectionValue'
    @Persisted var urls: MutableSet<URL>  // ✗ type 'URL' does not conform to protocol 'CollectionValue'
    @Persisted var map: Map<String, Plain>  // ✗ type 'Plain' does not conform to protocol 'MapValue'
    @Persisted var keyed: Map<Plain, String>  // ✗ type 'Plain' does not conform to protocol 'MapKey'
    @Persisted var optionals: List<Plain?>  // ✗✗ conform to
    @Persisted(deleteRule: .deny) var required: Plain  // ✗ 'deleteRule' is for links
    @Persisted var fine: String
}

@Model class NotThere: Object {
    @Persisted var single: Nope  // ✗✗ cannot find type 'Nope' in scope
    @Persisted var optional: None?  // ✗✗ cannot find type 'None' in scope
    @Persisted var list: List<Nil>  // ✗✗ cannot find type 'Nil' in scope
    @Persisted var map: Map<String, Void0?>  // ✗✗ cannot find type 'Void0' in scope
    @Persisted(deleteRule: .deny) var required: Gone  // ✗✗ cannot find type 'Gone' in scope
    // The second time is for all properties of the type.
    @Persisted var again: MutableSet<Gone>  // ✗ cannot find type 'Gone' in scope
    @Persisted var inferred = nope()  // ✗✗ cannot find 'nope' in scope
    @Persisted var fine: String
}

@Model class KeyNotStored: Object {
    @Persisted(primaryKey: true) var key: Plain  // ✗ this type is not stored
    @Persisted var fine: String
}

@Model class KeyNotThere: Object {
    @Persisted(primaryKey: true) var key: Nope  // ✗✗ cannot find type 'Nope' in scope
    @Persisted var fine: String
}

@Model class Links: Object {
    @Persisted var stored: NotStored?
    @Persisted var there: List<NotThere>
    @Persisted var key: KeyNotThere?
}
