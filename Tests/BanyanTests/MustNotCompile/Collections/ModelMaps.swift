import Banyan

// expect: the objects of a map are optional, as in 'Map<String, Dog?>'
// expect inside an expansion: the objects of a map are optional, as in 'Map<String, Dog?>'

@Model class Tenant: Object {
    @Persisted var name = ""
}

@Model class House: Object {
    @Persisted var tenants: Map<String, Tenant>
}
