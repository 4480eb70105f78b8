// `map["a"] = .none` and `value["a"] = .none` store `AnyValue.none`, as they read, while `= nil` removes the key.
//
// Left to itself the compiler would take `.none` for the one of Optional, which is nil. So where AnyValues are set there is a
// subscript more, whose values have nothing but a `.none`; it comes before the one that takes any value, and where something
// is read the third one, which cannot be set, comes before both.

/// What `.none` is where it is assigned to the key of a map of AnyValues.
public enum _NoValue {
    case none
}

/// A value that has a `.none` of its own.
public protocol _HasNoValue {
    static var _$noValue: Self { get }
}

extension AnyValue: _HasNoValue {
    public static var _$noValue: AnyValue { .none }
}

extension Map where Value: _HasNoValue {
    public subscript(key: Key) -> _NoValue {
        get { .none }
        set { updateValue(._$noValue, forKey: key) }
    }
}

extension Map where Value == AnyValue {
    /// The value of a key, nil when the key is not there. Setting nil removes the key; setting `.none` stores that.
    public subscript(key: Key) -> AnyValue? { value(of: key) }
}

/// What an AnyValue's keys can be set to: any value, or nil to remove one.
public protocol _KeyedValue {
    var dictionaryValue: Map<String, AnyValue>? { get }
}

/// What else they can be set to.
public protocol _ClearableKeyedValue: _KeyedValue {}

extension AnyValue: _ClearableKeyedValue {
    /// The value of a dictionary's key; nil where there is none. Setting it changes the dictionary: nil removes the key, `.none`
    /// is stored.
    public subscript(key: String) -> AnyValue? { dictionaryValue?.value(of: key) }
}

extension _KeyedValue {
    public subscript(key: String) -> AnyValue? {
        get { dictionaryValue?.value(of: key) }
        nonmutating set {
            guard let map = dictionaryValue else { return }
            if let newValue { map.updateValue(newValue, forKey: key) } else { map.removeObject(for: key) }
        }
    }
}

extension _ClearableKeyedValue {
    public subscript(key: String) -> _NoValue {
        get { .none }
        nonmutating set { _ = dictionaryValue?.updateValue(AnyValue.none, forKey: key) }
    }
}
