import Banyan

enum Size: String, PersistableEnum, MapKey { case small, large }

@Model class Tenant: Object {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var maps: Map<String, Tenant?>
    @Persisted var sizes: Map<Size, Size?>
    @Persisted var any: Map<Int, AnyValue>
}

func sort(_ tenants: Results<Tenant>, _ text: String) throws {
    _ = tenants.sorted(by: \.name)
    _ = tenants.sorted(by: [SortDescriptor(keyPath: \Tenant.name), SortDescriptor(keyPath: \Tenant.age)])
    _ = tenants.sorted(by: [.init(keyPath: \Tenant.name, ascending: false)])
    let descriptor = SortDescriptor(keyPath: \Tenant.name)
    let descriptors: [SortDescriptor] = [descriptor, descriptor.reversed()]
    _ = tenants.sorted(by: descriptors)
    _ = tenants.distinct(by: [\.name, \.age])
    _ = try tenants.sorted(by: ["name", SortDescriptor(keyPath: text), .init(keyPath: \Tenant.age)])
    let named: [SortDescriptor] = ["name"]
    _ = try tenants.sorted(by: named).sorted(byKeyPath: text).distinct(by: [text])
}

func none(_ tenant: Tenant, _ value: AnyValue, _ some: AnyValue?) {
    tenant.any[1] = .none
    tenant.any[1] = nil
    tenant.any[1] = some
    tenant.any[1] = 5
    value["a"] = .none
    value["a"]?["b"] = nil
    _ = tenant.any[1]?.intValue ?? value["a"]?.intValue
    tenant.maps["a"] = nil
    tenant.maps["a"] = tenant
    tenant.sizes[.small] = .large
}
