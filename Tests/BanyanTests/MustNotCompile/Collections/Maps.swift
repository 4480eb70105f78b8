import Banyan

// expect: the objects of a map are optional, as in 'Map<String, Dog?>'

@Model class Tenant: Object {
    @Persisted var name = ""
}

func maps(_ tenant: Tenant) {
    let map = Map<String, Tenant>()
    map["a"] = tenant
}
